// The zoo: named, parameterised models and micro-workloads that need no file.
// "zoo:resnet50,image=160" names one wherever a file could stand.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "graph/graph.h"
#include "workload/workload.h"

namespace tilewise {

class ZooSpec;

inline constexpr int64_t kLargestZooSize = int64_t{1} << 24;

struct ZooParameter {
  std::string_view name, default_value, help;
  // The values to choose from, "reference|flash"; empty: an integer.
  std::string_view words = {};
  int64_t smallest = 1;
  int64_t largest = kLargestZooSize;
};

struct ZooModel {
  std::string_view name, summary;
  std::span<const ZooParameter> parameters;
  absl::StatusOr<Graph> (*build)(const ZooSpec&);
  // How it is trained, if it has weights: on class ids rather than one-hot
  // rows.
  bool sparse_labels = true;
  LossKind loss = LossKind::kSoftmaxCrossEntropy;
};

// Sorted by name.
std::span<const ZooModel> ZooModels();

// Whether `text` names a zoo model rather than a file: it starts with "zoo:".
bool IsZooSpec(std::string_view text);

// The workload that "zoo:NAME,parameter=value,..." describes. Its graph is for
// training (batch statistics, dropout) or for inference. A model with trainable
// weights carries a TrainingSpec; one without is a single kernel or two to be
// timed as they are, so that there is nothing to train.
// Errors name the parameter, the value found, what was expected, and the
// nearest known name.
absl::StatusOr<Workload> LoadZoo(std::string_view spec, bool training = true);

}  // namespace tilewise
