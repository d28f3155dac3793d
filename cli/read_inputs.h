// The arguments that name the user's program -> Workload.

#pragma once

#include <map>
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
// `texts`: bytes that stand for files, by argument; null: none do.
absl::StatusOr<Workload> ReadInputs(const std::vector<std::string>& arguments,
                                    const LoadOptions& options,
                                    const std::map<std::string, std::string>* texts = nullptr);

}  // namespace tilewise
