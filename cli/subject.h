// What a command is about: the files that the user named, read, lowered for
// the target and simulated.

#pragma once

#include <memory>

#include "base/status.h"
#include "cli/options.h"
#include "hardware/target.h"
#include "rules/analysis.h"
#include "workload/workload.h"

namespace tilewise {

// Stays where it is made: the analysis points into the other two.
struct Subject {
  Target target;
  Workload workload;
  std::unique_ptr<const Analysis> analysis;

  const Facts& facts() const { return analysis->facts(); }
};

// The start of every command that reads a program. Errors: an unknown chip or
// host, with the known ones; what the readers and Analyze report. Files without
// a model are no error.
absl::StatusOr<std::unique_ptr<const Subject>> LoadAndAnalyze(
    const Options& options);

// Error unless the files held a model that could be lowered; says why.
absl::Status RequireModel(const Subject& subject);

}  // namespace tilewise
