// Makes a training step of a forward graph: loss, gradients, optimizer update.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  kLion,
  kAdagrad,
  kAdadelta,
  kAdamax,
  kAdafactor,
  kAdafactorMomentum,  // of bf16
};
std::string_view OptimizerName(OptimizerKind kind);  // "adam"
std::optional<OptimizerKind> ParseOptimizer(std::string_view name);
int OptimizerSlots(OptimizerKind kind);  // state tensors of a vector

enum class LossKind : uint8_t {
  kSoftmaxCrossEntropy,  // softmax output or logits, labels one-hot or ids
  kBinaryCrossEntropy,
  kMeanSquaredError,
};

// What of the forward pass is kept for the backward pass; the rest is computed
// again there. The forward pass is cut into blocks where a single value is all
// that later ops need (the output of a residual block, of a dense layer).
enum class Remat : uint8_t {
  kNone,  // everything is kept
  kFull,  // the inputs of blocks are kept
  kDots,  // the inputs of blocks, and results of dots and convolutions
};
std::string_view RematName(Remat remat);  // "none", "full", "dots"
std::optional<Remat> ParseRemat(std::string_view name);

enum class RematAction : uint8_t {
  kRecompute,
  kSave,
  kOffload,  // to the memory of the host, until the backward pass needs it
};

// What becomes of the result of one named matmul, of attention
// ("context"), or of the inputs of blocks ("decoder_layer_input").
struct RematTensor {
  std::string name;      // "query_proj"
  bool offload = false;  // else it is saved in HBM
  // One of those that a named policy lists, which not every model makes.
  bool by_policy = false;
  bool operator==(const RematTensor&) const = default;
};

struct RematPolicy {
  Remat base = Remat::kNone;
  std::vector<RematTensor> tensors;  // exceptions from `base`

  // Returns the action on the result of `op`; what makes no named tensor and is no matmul is
  // computed again.
  RematAction ActionOn(const Op& op) const;
  bool OffloadsBlockInputs() const;
  // Names in `tensors` that no op of `forward` makes: each that stands in the
  // policy's text, and those that its name stands for if none of them is made.
  std::vector<std::string> NotMadeBy(const Graph& forward) const;
  bool operator==(const RematPolicy&) const = default;
};
// "full", a policy of MaxText ("save_qkv_proj", "minimal_offloaded"), and maybe
// exceptions: "full,decoder_layer_input=offload,query_proj=save". Errors:
// unknown names, which lists the known ones.
absl::StatusOr<RematPolicy> ParseRematPolicy(std::string_view text);
// Names of tensors that policies may have an exception for and ops of `forward`
// make; not the inputs of blocks.
std::vector<std::string_view> MadeTensors(const Graph& forward);

// How the model is trained, from compile() or from flags.
struct TrainingSpec {
  OptimizerKind optimizer = OptimizerKind::kSgd;
  bool optimizer_known = false;  // false: the default stands in
  // The words of the program: "Nadam", "huber"; empty: it does not say.
  std::string optimizer_name, loss_name;
  LossKind loss = LossKind::kSoftmaxCrossEntropy;
  bool loss_known = false;
  bool sparse_labels = false;  // class ids rather than one-hot rows
  bool from_logits = false;
  std::optional<double> learning_rate;
  // Momentum and first moments have this type (mu_dtype of optax); none: that of
  // the variable.
  std::optional<DType> momentum_type;
  // Gradients have this type when the optimizer gets them; none: the variable's.
  std::optional<DType> gradient_type;
  // Parts of the batch that run one after the other; their gradients are summed
  // in f32 before one update.
  int64_t accumulation_steps = 1;
  Remat remat = Remat::kNone;
  std::vector<RematTensor> remat_tensors;  // exceptions from `remat`
  RematPolicy remat_policy() const { return {remat, remat_tensors}; }
  Location location;  // of compile()
};

// The training step of `forward` (results become hidden; the loss, the new
// values of all trainable variables and of their optimizer slots become
// outputs). Where `forward` has outputs of role kLoss, their sum is what is
// differentiated, whatever `spec` says of a loss, and results stay results. The
// graph must be bound. Gradients of data-parallel replicas are not summed here:
// the partition pass inserts that; the gradients are of the loss divided by
// `replicas`, so that the sum belongs to the global mean. Batch norms that
// track moving statistics update them. Errors: unimplemented when a
// differentiated op has no gradient (names it); accumulation of gradients,
// which needs the batch to be known.
absl::StatusOr<Graph> ExpandTraining(const Graph& forward, const TrainingSpec& spec,
                                     int64_t replicas = 1);

// The same at a batch per core of `batch`, for a graph with per-batch dims:
// `spec.accumulation_steps` parts of the batch run one after the other. Batch
// norm sees one part at a time. The parts are written out, not looped over.
// Errors as above; a batch that is no multiple of the parts; inputs or results
// whose first dim is not the batch.
absl::StatusOr<Graph> ExpandTrainingOf(const Graph& forward, int64_t batch,
                                       const TrainingSpec& spec, int64_t replicas = 1);

}  // namespace tilewise
