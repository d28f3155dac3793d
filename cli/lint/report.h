// What a run over one or many programs found, as one report.

#pragma once

#include "base/status.h"
#include "cli/lint/options.h"
#include "cli/lint/run.h"
#include "report/report.h"

namespace tilewise {

// Of the programs that could be linted. Findings of several programs are in one
// order: the largest saving first, then the largest cost, then by place.
// Errors: rules of the configuration that do not exist.
absl::StatusOr<Report> ReportOf(const LintRun& run, const LintOptions& options);

}  // namespace tilewise
