// Finds where the parts of a JSON text stand, for edits that leave the other
// bytes alone. The text has been parsed before: this looks for locations only.
// A text that is no JSON gives parts that mean nothing, but no crash.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilewise {

size_t SkipJsonSpace(std::string_view text, size_t at);

// One past the value that begins at `at`; the end when it is not closed.
size_t EndOfJsonValue(std::string_view text, size_t at);

// A range [begin, end) of the text, and the key when it is a member's value.
struct JsonPart {
  std::string_view key;  // between its quotes, escapes as written
  size_t key_begin = 0;  // of the opening quote
  size_t begin = 0;
  size_t end = 0;
};

// Returns the parts of the object or array that begins at `at`; none for other
// values.
std::vector<JsonPart> JsonParts(std::string_view text, size_t at);

// The last member with that key, as parsers take it; null when there is none.
const JsonPart* FindJsonMember(const std::vector<JsonPart>& parts, std::string_view key);

}  // namespace tilewise
