// Where in a text each suppression comment counts.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "lint/source_lines.h"
#include "lint/suppression_comment.h"

namespace tilewise {

// One comment of one text (a file, or a cell of a notebook) and its reach.
struct ScopedComment {
  SuppressionComment comment;
  Location place;      // of its sign
  bool alone = false;  // nothing but blanks before it on its line
  // Bytes to take out to be rid of it: with its line where it is all of it,
  // else with the blanks before it.
  int64_t remove_begin = 0;
  int64_t remove_end = 0;
  bool ends_something = false;  // of `enable`

  // Lines that it silences; the whole file for ignore-file.
  struct Range {
    int32_t first = 0;
    int32_t last = 0;
  };
  std::vector<Range> ranges;
  bool Covers(int32_t line) const;
};

// In the order of the text. A comment at the end of a line counts for that
// line, and for the whole statement when the line is its first or last one, and
// for a call that begins further up and is closed on the line. A comment alone
// on its line counts for the next line with code, and for the whole statement
// when one starts there. `disable` counts until `enable` names the same word or
// none, or the text ends.
std::vector<ScopedComment> FindSuppressionComments(std::string_view text, CommentStyle style,
                                                   const std::string& file, int32_t cell);

}  // namespace tilewise
