// The report of a run over many programs for a terminal: at most ten lines for
// each, then a table by cause and the totals.

#pragma once

#include <string>

#include "report/report.h"

namespace tilewise {

// Whether the report is of several programs and no one asked for all of it.
bool IsShort(const Report& report, const RenderOptions& options);

// The findings by file: the file with the largest saving first.
std::string FindingsByFile(const Report& report, const RenderOptions& options);

}  // namespace tilewise
