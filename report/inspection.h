// What `tilewise inspect` prints: what is in a file, and how much of it is
// understood. Nothing is lowered or simulated for it.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "workload/coverage.h"
#include "workload/workload.h"

namespace tilewise {

struct InspectedFile {
  std::string path;
  Workload workload;
  Coverage coverage;
  // How the batch was found in a graph whose sizes are all fixed: one line for
  // each op where it passes; empty when not asked for, or symbolic.
  std::vector<std::string> batch_explanation;
};

struct Inspection {
  std::string version;  // of tilewise
  std::vector<InspectedFile> files;
};

// The format for a terminal shows all ops and notes with `verbose`; JSON, which
// docs/schema/inspect.schema.json describes, has everything.
template <>
std::span<const FormatOf<Inspection>> FormatsOf<Inspection>();

}  // namespace tilewise
