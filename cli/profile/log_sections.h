// What `profile` prints of the log of a run, which has facts and no events.

#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "cli/options/model_options.h"
#include "report/listing.h"

namespace tilewise {

// Nothing when the options do not name one log and nothing else.
absl::StatusOr<std::optional<std::vector<ListingSection>>> LogSections(const ModelOptions& options);

}  // namespace tilewise
