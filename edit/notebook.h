// Edits of a notebook's cells in the bytes of its file.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"

namespace tilewise {

// `bytes` with the edits made, whose spans count in the texts of code cells
// (numbered from 1). Only the string literals of edited lines change; those
// keep the escapes of what is not edited, and new lines get literals of their
// own, set apart as their neighbours are. Edits must not overlap. Errors: cells
// and ranges that are not there.
absl::StatusOr<std::string> EditNotebook(std::string_view bytes, std::vector<TextEdit> edits);

}  // namespace tilewise
