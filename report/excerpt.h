// The user's line that a finding is about, with a caret below the place.

#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "report/file_lines.h"

namespace tilewise {

struct Excerpt {
  int64_t line = 0;    // 1-based, as in the location; 0 for an op
  std::string text;    // clipped to the width around the caret
  int64_t caret = -1;  // index of a character in `text`; -1: none
  int64_t carets = 1;  // how many characters are marked
};

// Nothing when the location has no line or its file was not read as text.
std::optional<Excerpt> FindExcerpt(const FileLines& files, const Location& location, int width);

// The line of an op of a file that has no lines.
Excerpt ExcerptOfOp(const OpLine& op, int width);

}  // namespace tilewise
