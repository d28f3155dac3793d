// The search as the options ask for it.

#pragma once

#include "base/status.h"
#include "cli/options/model_options.h"
#include "tuner/tuner.h"

namespace tilewise {

// Searches around the session's own point, with progress on a terminal.
absl::StatusOr<Tuning> Tune(const Session& session, const SearchOptions& options);

}  // namespace tilewise
