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

// A YAML configuration of MaxText: base.yml, or that of a model.
bool LooksLikeMaxText(const InputFile& file);
// Its training step; `key=value` on the program's command line changes values.
absl::StatusOr<Workload> ReadMaxText(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
