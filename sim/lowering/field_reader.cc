// Numbers are not negative and finite; what else must hold of them is checked
// where they meet.

#include "sim/lowering/field_reader.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "graph/text_values.h"

namespace tilewise {
namespace {

// The bound keeps sums of a few of them from overflowing, and all of them exact
// as reals.
constexpr int64_t kLargestField = int64_t{1} << 52;

absl::StatusOr<std::vector<std::string>> ReadValue(TokenCursor& cursor) {
  std::vector<std::string> words;
  if (!cursor.TakeSign('{')) {
    TW_ASSIGN_OR_RETURN(words.emplace_back(), cursor.TakeName("a value"));
    return words;
  }
  if (cursor.TakeSign('}')) return words;
  do {
    TW_ASSIGN_OR_RETURN(words.emplace_back(), cursor.TakeName("a value"));
  } while (cursor.TakeSign(','));
  TW_RETURN_IF_ERROR(cursor.ExpectSign('}'));
  return words;
}

}  // namespace

absl::StatusOr<FieldLine> ReadFieldLine(std::string_view text) {
  FieldLine line;
  TW_ASSIGN_OR_RETURN(std::vector<TextToken> tokens, LexLine(text));
  if (tokens.empty()) return line;
  TokenCursor cursor(std::move(tokens));
  TW_ASSIGN_OR_RETURN(line.head, cursor.TakeWord("a word"));
  if (!cursor.done() && !cursor.NextIsSign(',')) {
    TW_ASSIGN_OR_RETURN(line.subjects.emplace_back(), cursor.TakeName("a name or a comma"));
  }
  while (!cursor.done()) {
    TW_RETURN_IF_ERROR(cursor.ExpectSign(','));
    TW_ASSIGN_OR_RETURN(const std::string key, cursor.TakeWord("a field"));
    TW_RETURN_IF_ERROR(cursor.ExpectSign('='));
    TW_ASSIGN_OR_RETURN(std::vector<std::string> value, ReadValue(cursor));
    if (!line.fields.emplace(key, std::move(value)).second) {
      return InvalidInput(fmt::format("found {} twice, expected once", key));
    }
  }
  return line;
}

absl::Status FieldReader::Finish() const {
  TW_RETURN_IF_ERROR(status_);
  if (line_.fields.empty()) return absl::OkStatus();
  return InvalidInput(fmt::format("found the field {}, which {} does not have",
                                  line_.fields.begin()->first, line_.head));
}

std::vector<std::string> FieldReader::Take(std::string_view key) {
  const auto found = line_.fields.find(std::string(key));
  if (found == line_.fields.end()) return {};
  std::vector<std::string> value = std::move(found->second);
  line_.fields.erase(found);
  return value;
}

const std::string* FieldReader::TakeOne(std::string_view key) {
  std::vector<std::string> value = Take(key);
  if (value.empty()) return nullptr;
  if (value.size() > 1) {
    Keep(key, InvalidInput(fmt::format("found {} values, expected one", value.size())));
    return nullptr;
  }
  taken_ = std::move(value.front());
  return &taken_;
}

void FieldReader::Keep(std::string_view key, const absl::Status& status) {
  if (status_.ok() && !status.ok()) status_ = Annotate(status, key);
}

absl::Status FieldReader::Set(const std::string& word, int64_t& value) {
  TW_ASSIGN_OR_RETURN(value, ParseInteger(word));
  if (value >= 0 && value <= kLargestField) return absl::OkStatus();
  return InvalidInput(fmt::format("found {}, expected 0 to {}", value, kLargestField));
}

absl::Status FieldReader::Set(const std::string& word, int& value) {
  return SetNumber(word, 0, value);
}

absl::Status FieldReader::Set(const std::string& word, double& value) {
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc() && stop == end && std::isfinite(value) && value >= 0) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found \"{}\", expected a number of at least 0", word));
}

absl::Status FieldReader::Set(const std::string& word, Bytes& value) {
  return Set(word, value.value);
}

absl::Status FieldReader::Set(const std::string& word, bool& value) {
  value = word == "true";
  if (value || word == "false") return absl::OkStatus();
  return InvalidInput(fmt::format("found \"{}\", expected true or false", word));
}

absl::Status FieldReader::Set(const std::string& word, std::string& value) {
  value = word;
  return absl::OkStatus();
}

absl::Status FieldReader::SetNumber(const std::string& word, int32_t least, int32_t& value) {
  TW_ASSIGN_OR_RETURN(const int64_t number, ParseInteger(word));
  if (number < least || number > std::numeric_limits<int32_t>::max()) {
    return InvalidInput(fmt::format("found {}, expected {} to {}", number, least,
                                    std::numeric_limits<int32_t>::max()));
  }
  value = static_cast<int32_t>(number);
  return absl::OkStatus();
}

absl::Status FieldReader::SetOp(const std::string& word, OpId& value) const {
  const auto found = names_.find(word);
  if (found == names_.end()) {
    return InvalidInput(fmt::format("found {}, expected an op of the graph", word));
  }
  value = found->second;
  return absl::OkStatus();
}

absl::Status FieldReader::NotOneOf(const std::string& word) {
  return InvalidInput(fmt::format("found unknown word \"{}\"", word));
}

absl::Status FieldReader::OddCount(size_t count) {
  return InvalidInput(fmt::format("found {} values, expected pairs of them", count));
}

}  // namespace tilewise
