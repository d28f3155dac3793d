// Tables of measurements as the user names them.

#pragma once

#include <string>

#include "accuracy/calibrate.h"
#include "base/status.h"

namespace tilewise {

// Specs in it are zoo models, and files by their path from its folder. Errors:
// a file that cannot be read, or of more than 64 MiB.
absl::StatusOr<MeasuredTable> ReadTable(const std::string& path);

// Loads specs: zoo models, and files by their path from `folder`.
WorkloadLoader LoaderFrom(const std::string& folder);

}  // namespace tilewise
