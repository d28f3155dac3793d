// Tokens of one line of graph text.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tilewise {

struct TextToken {
  enum class Kind { kWord, kQuoted, kSign };
  Kind kind = Kind::kWord;
  std::string text;  // unescaped; one character for a sign
};

// Words are runs of name characters; signs are = ( ) [ ] { } and the comma;
// "//" outside of quotes starts a comment.
absl::StatusOr<std::vector<TextToken>> LexLine(std::string_view line);

}  // namespace tilewise
