// The user's line that a finding is about, with a caret below the place.

#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/location.h"
#include "workload/workload.h"

namespace tilewise {

struct Excerpt {
  int64_t line = 0;    // 1-based, as in the location
  std::string text;    // clipped to the width around the caret
  int64_t caret = -1;  // index of a character in `text`; -1: none
};

// Nothing when the location has no line or its file is not among `files`.
std::optional<Excerpt> FindExcerpt(std::span<const SourceFile> files,
                                   const Location& location, int width);

}  // namespace tilewise
