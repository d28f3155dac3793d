// From what the user typed to what each call of the program takes.

#pragma once

#include <string_view>

#include "base/status.h"
#include "cli/options.h"
#include "hardware/target.h"
#include "report/report.h"
#include "rules/analysis.h"
#include "rules/rule.h"
#include "tuner/tuner.h"
#include "workload/workload.h"

namespace tilewise {

// Errors: an unknown chip or host, with the known ones.
absl::StatusOr<Target> TargetOf(const Options& options);

// Errors: a name that selects no rule.
absl::StatusOr<RuleSelection> SelectionOf(const Options& options);

AnalysisOptions AnalysisOptionsOf(const Options& options,
                                  const Workload& workload,
                                  const Target& target);

// What was read and simulated, before rules and tuning had their say.
Report DescribeRun(std::string_view command, const Workload& workload,
                   const Target& target, const Analysis& analysis);

// Error unless the files held a model that could be lowered; says why.
absl::Status RequireModel(const Analysis& analysis);

// Searches around what was analysed, with progress on a terminal.
absl::StatusOr<Tuning> TuneAnalysed(const Options& options,
                                    const Workload& workload,
                                    const Target& target,
                                    const Analysis& analysis);

}  // namespace tilewise
