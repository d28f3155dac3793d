// A program that --dump-lowering wrote, as input.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/options/model_options.h"
#include "hardware/target.h"
#include "report/report.h"
#include "sim/lowering/text.h"

namespace tilewise {

struct ProgramFile {
  std::string path;
  ProgramText text;
  Target target;  // that it was lowered for
};

// Nothing when the options do not name one program file and nothing else.
// Errors: text that does not parse, with the place; a program that has no
// buffers yet; options that would need it lowered again.
absl::StatusOr<std::optional<ProgramFile>> ReadProgramFile(const ModelOptions& options);

// The step simulated; no loop, because the file has none.
Report DescribeProgram(std::string_view command, const ProgramFile& file);

}  // namespace tilewise
