// Edits of C++ sources in the style of their project.

#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tilewise {

// Has Clang format the lines that the edits of the file `path`, which holds `text`, change: by the
// nearest .clang-format. Without one, or where two edits collide, they stay as they are.
void FormatEdits(const std::string& path, const std::string& text, std::vector<TextEdit>& edits);

}  // namespace tilewise
