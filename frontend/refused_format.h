// Formats that people give and no reader takes: named, so that nobody takes
// them for another format that they resemble.

#pragma once

#include <string>

#include "base/status.h"
#include "frontend/input_file.h"

namespace tilewise {

// An error that says what the file is and what to export instead, when it is
// such a format; OK otherwise.
absl::Status CheckNotRefused(const InputFile& file);

// One line for each framework that exports what is read here.
std::string ExportLines();

}  // namespace tilewise
