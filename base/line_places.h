// Where the lines of a text come from that was made of other files.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewise {

struct LinePlaces {
  // A place is a line, with the number of its file in the bits above.
  static constexpr int kLineBits = 20;
  static constexpr int32_t kMaxLine = (1 << kLineBits) - 1;

  static int32_t Place(int32_t file, int32_t line) {
    return (file << kLineBits) | std::clamp(line, 0, kMaxLine);
  }
  static int32_t LineAt(int32_t place) { return place & kMaxLine; }
  static int32_t FileAt(int32_t place) { return place >> kLineBits; }

  bool empty() const { return places.empty(); }

  std::vector<int32_t> places;     // by the line of the text
  std::vector<std::string> files;  // 1 is the first of them; 0 is the file that the text stands for
};

}  // namespace tilewise
