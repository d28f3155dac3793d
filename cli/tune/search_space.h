// Options of a search as the tuner takes them.

#pragma once

#include "base/status.h"
#include "cli/options/model_options.h"
#include "tuner/tuner.h"

namespace tilewise {

// Errors: words that are no knobs, values, ranges or prices, with what was
// expected.
absl::StatusOr<SearchSpace> SearchSpaceOf(const SearchOptions& options);

}  // namespace tilewise
