// Splits one line of graph text into words, quoted strings and signs.

#include "graph/text_lexer.h"

#include <fmt/format.h>

#include "graph/text_names.h"

namespace tilewise {
namespace {

// Reads the string whose opening quote is at `at`; leaves `at` behind the
// closing one.
absl::StatusOr<TextToken> LexQuoted(std::string_view line, size_t& at) {
  TextToken token{TextToken::Kind::kQuoted, ""};
  for (++at; at < line.size(); ++at) {
    char c = line[at];
    if (c == '"') {
      ++at;
      return token;
    }
    if (c == '\\' && at + 1 < line.size()) {
      c = line[++at];
      if (c == 'n') c = '\n';
    }
    token.text += c;
  }
  return InvalidInput("found a string without end, expected \"");
}

bool StartsComment(std::string_view line, size_t at) { return line.substr(at, 2) == "//"; }

}  // namespace

absl::StatusOr<std::vector<TextToken>> LexLine(std::string_view line) {
  constexpr std::string_view kSigns = "=()[]{},";
  std::vector<TextToken> tokens;
  size_t at = 0;
  while (at < line.size() && !StartsComment(line, at)) {
    const char c = line[at];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else if (c == '"') {
      TW_ASSIGN_OR_RETURN(TextToken token, LexQuoted(line, at));
      tokens.push_back(std::move(token));
    } else if (IsNameChar(c)) {
      TextToken token;
      while (at < line.size() && IsNameChar(line[at]) && !StartsComment(line, at)) {
        token.text += line[at++];
      }
      tokens.push_back(std::move(token));
    } else if (kSigns.find(c) != std::string_view::npos) {
      tokens.push_back({TextToken::Kind::kSign, std::string(1, c)});
      ++at;
    } else {
      return InvalidInput(
          fmt::format("found byte 0x{:02x}, expected a name, a string or a "
                      "sign",
                      static_cast<unsigned char>(c)));
    }
  }
  return tokens;
}

}  // namespace tilewise
