// What `profile` prints of the log of a run, which has facts and no events.

#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/options/model_options.h"
#include "report/listing.h"

namespace tilewise {

bool LooksLikeLog(const std::string& path);

// This reports logs, and programs given with them, whose findings are given with them.
absl::StatusOr<std::vector<ListingSection>> LogSections(const ModelOptions& options);

}  // namespace tilewise
