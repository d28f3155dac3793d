// Findings in groups of one file, for the formats whose outer level is files.

#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace tilewise {

struct FileFindings {
  std::string file;  // as an artifact path
  std::vector<const Diagnostic*> findings;
};

// By file name; findings keep their order. Programs and files without findings
// have a group too, an empty one, so that a reader sees that they were looked
// at. A finding without a file is in the group of the workload.
std::vector<FileFindings> GroupByFile(const Report& report, const RenderOptions& options);

}  // namespace tilewise
