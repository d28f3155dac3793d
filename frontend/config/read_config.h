// Training configurations: no model is in them, but the batch, the input
// pipeline that a training library builds from them, and the loop.

#pragma once

#include "base/status.h"
#include "frontend/input_file.h"
#include "frontend/load.h"
#include "workload/workload.h"

namespace tilewise {

// pipeline.config of the TensorFlow Object Detection API.
bool LooksLikePipelineConfig(const InputFile& file);
absl::StatusOr<Workload> ReadPipelineConfig(const InputFile& file, const LoadOptions& options);

// YAML of TensorFlow's Model Garden and of the TPU reference models.
bool LooksLikeTrainingYaml(const InputFile& file);
absl::StatusOr<Workload> ReadTrainingYaml(const InputFile& file, const LoadOptions& options);

// gin of T5X, and of T5 on Mesh TensorFlow.
bool LooksLikeTrainingGin(const InputFile& file);
absl::StatusOr<Workload> ReadTrainingGin(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
