// Configuration files that stand for models.

#pragma once

#include "base/status.h"
#include "frontend/load.h"
#include "workload/workload.h"

namespace tilewise {

// config.json of Hugging Face transformers: an object with "model_type".
bool LooksLikeModelConfig(const InputFile& file);
// The forward pass of the model; `--input` gives the shapes of one example.
absl::StatusOr<Workload> ReadModelConfig(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
