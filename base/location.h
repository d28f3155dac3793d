// A location says where something stands in what the user gave us.

#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace tilewise {

// A location in a user's file. `item` names what has no line of its own: a
// layer of a model file, a graph node. A location in a notebook has the 1-based
// number of its code cell, and `line` counts inside that cell. Unknown parts
// are 0 or empty.
struct Location {
  std::string file;
  int32_t line = 0;    // 1-based
  int32_t column = 0;  // 1-based, in bytes
  int32_t cell = 0;    // 1-based; 0 outside notebooks
  std::string item;

  auto operator<=>(const Location&) const = default;
  bool known() const { return !file.empty(); }
};

// "train.py:12:5", "book.ipynb:cell 3:12:5", "model.json: layer conv1".
std::string FormatLocation(const Location& location);

// A byte range [begin, end) of one file, for edits. In a notebook the range is
// within the text of the cell.
struct Span {
  std::string file;
  int32_t cell = 0;
  int64_t begin = 0;
  int64_t end = 0;
  auto operator<=>(const Span&) const = default;
};

}  // namespace tilewise
