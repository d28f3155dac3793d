// The search as the options and the files ask for it.

#pragma once

#include "base/status.h"
#include "cli/options/model_options.h"
#include "cli/subject.h"
#include "tuner/tuner.h"

namespace tilewise {

// Searches around what was analysed, with progress on a terminal.
absl::StatusOr<Tuning> TuneSubject(const SearchOptions& options, const Subject& subject);

}  // namespace tilewise
