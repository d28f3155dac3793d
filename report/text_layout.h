// How text from users' files fits a terminal: its width, its wrapping, and no
// control characters.

#pragma once

#include <string>
#include <string_view>

namespace tilewise {

// Code points of UTF-8 text: wide and combining characters count as one.
size_t DisplayWidth(std::string_view text);

// Tabs become spaces, other control characters "?", so that a name in a model
// file cannot move the cursor.
std::string Printable(std::string_view text);

// Breaks at spaces so that no line is wider than `width` where words allow it.
// The first line starts with `first`, the others with `rest`; ends with a
// newline.
std::string Wrap(std::string_view text, int width, std::string_view first, std::string_view rest);

}  // namespace tilewise
