// Formats that people give and no reader takes: named, so that nobody takes
// them for another format that they resemble.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "frontend/input_file.h"

namespace tilewise {

// An error that says what the file is and what to export instead, when it is
// such a format; OK otherwise.
absl::Status CheckNotRefused(const InputFile& file);

// "FILE: found `what`, expected ..."; what to export instead goes with it as
// help, for messages are one line.
absl::Status NotAModel(const InputFile& file, std::string_view what);

// Lines that help with an error, each with its end: the formats that are read,
// and for each framework a line that exports one. Empty for other errors.
std::string HelpOf(const absl::Status& status);

}  // namespace tilewise
