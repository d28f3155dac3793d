// See source_location.h. A location is followed from its front: names lead to
// what they are around, lists to their first element, call sites to the callee.

#include "frontend/mlir/source_location.h"

#include <charconv>

#include "frontend/mlir/attribute.h"
#include "frontend/mlir/lexer.h"

namespace tilewise::mlir {
namespace {

// Aliases and brackets that are followed for one location.
constexpr int kMaxSteps = 64;

int32_t Number(std::string_view text) {
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && number > 0 ? number : 0;
}

}  // namespace

std::string_view SourceLocations::Plain(std::string_view quoted) {
  const std::string_view text = Unquote(quoted);
  if (text.find('\\') == std::string_view::npos) return text;
  texts_.push_back(Unescape(text));
  return texts_.back();
}

const SourceName& SourceLocations::Find(std::string_view location) {
  const auto [at, fresh] = known_.try_emplace(location);
  if (fresh) at->second = Read(location);
  return at->second;
}

SourceName SourceLocations::Read(std::string_view location) {
  SourceName place;
  Lexer lexer(location);
  for (int step = 0; step < kMaxSteps; ++step) {
    const Token token = lexer.token();
    if (token.kind == TokenKind::kHashId) {
      const auto alias = aliases_.find(token.text);
      if (alias == aliases_.end()) return place;
      lexer = Lexer(alias->second);
    } else if (token.kind == TokenKind::kString) {
      lexer.Next();
      if (lexer.token().Is(':')) {  // "file":line:column
        place.file = Plain(token.text);
        lexer.Next();
        place.line = Number(lexer.token().text);
        lexer.Next();
        if (lexer.token().Is(':')) {
          lexer.Next();
          place.column = Number(lexer.token().text);
        }
        return place;
      }
      if (place.name.empty()) place.name = Plain(token.text);
      if (!lexer.token().Is('(')) return place;
      lexer.Next();
    } else if (token.IsWord("fused") || token.IsWord("callsite") || token.IsWord("loc")) {
      lexer.Next();
      if (lexer.token().Is('<') && !lexer.Balanced().ok()) return place;
      if (!lexer.token().Is('[') && !lexer.token().Is('(')) return place;
      lexer.Next();
    } else {
      return place;  // unknown
    }
  }
  return place;
}

}  // namespace tilewise::mlir
