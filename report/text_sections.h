// The sections of the text report; each returns "" when it has nothing to say.

#pragma once

#include <string>

#include "report/report.h"

namespace tilewise {

std::string TextFindings(const Report& report, const RenderOptions& options);
// The table per rule, where it was asked for.
std::string TextStatistics(const Report& report, const RenderOptions& options);
// The last lines of a run that looked for findings: counts, and what the fixes
// would reach.
std::string TextSummary(const Report& report, const RenderOptions& options);
std::string TextNotes(const Report& report, const RenderOptions& options);
std::string TextOps(const Report& report, const RenderOptions& options);
std::string TextLosses(const Report& report, const RenderOptions& options);
std::string TextMemory(const Report& report, const RenderOptions& options);
std::string TextEpoch(const Report& report, const RenderOptions& options);
std::string TextTuning(const Report& report, const RenderOptions& options);

}  // namespace tilewise
