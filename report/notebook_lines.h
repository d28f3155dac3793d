// Where the lines of a notebook's cells stand in its file.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewise {

// For each code cell the 1-based line of the file for each line of its text:
// those of its list of strings, or of the one string that it is. Text that is
// no notebook gives nothing, or lines that mean nothing.
std::vector<std::vector<int64_t>> NotebookLines(std::string_view bytes);

}  // namespace tilewise
