// From a forward graph to a training step: loss, gradients, optimizer update.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/location.h"
#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

enum class OptimizerKind : uint8_t {
  kSgd,
  kMomentum,
  kRmsProp,
  kRmsPropMomentum,
  kAdam,
  kAdamW,
  kLars,
  kLamb,
};
std::string_view OptimizerName(OptimizerKind kind);  // "adam"
std::optional<OptimizerKind> ParseOptimizer(std::string_view name);
int OptimizerSlots(OptimizerKind kind);  // f32 state tensors per variable

enum class LossKind : uint8_t {
  kSoftmaxCrossEntropy,  // softmax output or logits, labels one-hot or ids
  kBinaryCrossEntropy,
  kMeanSquaredError,
};

// How the model is trained, from compile() or from flags.
struct TrainingSpec {
  OptimizerKind optimizer = OptimizerKind::kSgd;
  bool optimizer_known = false;  // false: the default stands in
  LossKind loss = LossKind::kSoftmaxCrossEntropy;
  bool loss_known = false;
  bool sparse_labels = false;  // class ids rather than one-hot rows
  bool from_logits = false;
  std::optional<double> learning_rate;
  Location location;  // of compile()
};

// The training step of `forward` (results become hidden; the loss, the new
// values of all trainable variables and of their optimizer slots become
// outputs). The graph must be bound. Gradients of data-parallel replicas are
// not summed here: the partition pass inserts that; the gradients are of the
// loss divided by `replicas`, so that the sum belongs to the global mean.
// Errors: unimplemented when a differentiated op has no gradient (names it).
absl::StatusOr<Graph> ExpandTraining(const Graph& forward,
                                     const TrainingSpec& spec,
                                     int64_t replicas = 1);

}  // namespace tilewise
