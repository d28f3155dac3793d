// Values inside graph text: numbers, shapes, windows, attributes. All read
// from a cursor over the tokens of one line.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/location.h"
#include "graph/op.h"
#include "graph/text_lexer.h"

namespace tilewise {

class TokenCursor {
 public:
  explicit TokenCursor(std::vector<TextToken> tokens) : tokens_(std::move(tokens)) {}

  bool done() const { return at_ == tokens_.size(); }
  // The next token as an error message shows it.
  std::string Found() const;
  bool NextIsSign(char sign) const;
  bool TakeSign(char sign);  // false, and nothing taken, if another is next
  absl::Status ExpectSign(char sign);
  // A word, or a quoted string; `what` names it in errors.
  absl::StatusOr<std::string> TakeWord(std::string_view what);
  absl::StatusOr<std::string> TakeName(std::string_view what);

 private:
  std::vector<TextToken> tokens_;
  size_t at_ = 0;
};

absl::StatusOr<int64_t> ParseInteger(std::string_view text);
absl::StatusOr<Shape> ParseShape(TokenCursor& cursor);
// "name=value" of an attribute of the kind of `op`, phase, origin, at or item,
// into `op`.
absl::Status ParseAttribute(TokenCursor& cursor, Op& op);

}  // namespace tilewise
