// Lowered programs as text: what --dump-lowering writes, and one of them as input.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/options/model_options.h"
#include "report/report.h"
#include "session/session.h"
#include "sim/lowering/text.h"

namespace tilewise {

struct ProgramFile {
  std::string path;
  ProgramText text;
  Target target;  // that it was lowered for

  const Graph& source() const { return text.context.source; }
};

// Reads the file. Returns nothing when the options do not name one program file and nothing else.
// Errors: text that does not parse, with the location; a program that has no buffers yet; options
// that would need it lowered again.
absl::StatusOr<std::optional<ProgramFile>> ReadProgramFile(const ModelOptions& options);

// What was read and the step, simulated, with what HBM holds at its peak; no
// loop, because the file has none.
Report ReportOn(std::string_view command, const ProgramFile& file);

// --dump-lowering: lowers the session's model once more and writes
// 00_source.txt and one file per pass that ran, named after its place in the
// list and its name. The folder is made if there is none; nothing happens when
// it is empty. Errors: what cannot be written.
absl::Status DumpLowering(const Session& session, const std::string& folder);

}  // namespace tilewise
