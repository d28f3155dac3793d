// The arguments that name the user's program -> Workload.

#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "frontend/load.h"
#include "workload/workload.h"

namespace tilewise {

// Merges what the readers of all arguments found: files, and models of the zoo
// ("zoo:resnet50"), which are built for training unless options.training is
// false. Errors:
// those of the readers and of MergeWorkloads, with the place.
absl::StatusOr<Workload> ReadInputs(const std::vector<std::string>& arguments,
                                    const LoadOptions& options);

}  // namespace tilewise
