// The tables of source locations that newer modules have: instructions name a
// frame instead of a file and a line.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// All numbers of rows count from 1, as modules do.
struct StackFrames {
  struct FileLocation {
    int64_t file = 0;  // row of `files`
    int64_t line = 0;
    int64_t column = 0;
  };
  std::vector<std::string_view> files;
  std::vector<FileLocation> locations;
  std::vector<int64_t> frames;  // rows of `locations`: the innermost location

  // Gives `metadata` the location of frame `id`, unless it names a file already
  // or there is no such frame.
  void Locate(int64_t id, Metadata& metadata) const;
};

}  // namespace tilewise::hlo
