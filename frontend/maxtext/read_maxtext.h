// Configurations of MaxText: the model, its training and how the devices share it.

#pragma once

#include "frontend/load.h"

namespace tilewise {

bool LooksLikeMaxText(const InputFile& file);
absl::StatusOr<Workload> ReadMaxText(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
