// Reverse-mode differentiation of a whole graph: the loss is added, its
// gradient is carried from the last op to the first along the paths that lead
// to trainable variables, and each variable's gradient becomes an update.

#include "graph/training.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graph/gradients/gradient.h"
#include "graph/graph_builder.h"
#include "graph/loss.h"
#include "graph/optimizer.h"

namespace tilewise {
namespace {

class TrainingExpansion {
 public:
  TrainingExpansion(const Graph& forward, const TrainingSpec& spec,
                    int64_t replicas)
      : forward_(forward),
        spec_(spec),
        replicas_(replicas),
        b_(forward.name()) {}

  absl::StatusOr<Graph> Run() {
    for (const Op& op : forward_.ops()) b_.Clone(op, op.operands);
    const OpId loss = AddLoss(b_, forward_.outputs(), spec_);
    if (!b_.ok()) return b_.status();
    b_.AddOutput(loss, Output::Role::kLoss);
    for (const Output& output : forward_.outputs()) {
      if (output.role != Output::Role::kState) continue;
      b_.AddOutput(output.value, output.role, output.variable);
    }
    FindWanted();
    TW_RETURN_IF_ERROR(Differentiate(loss));
    for (const Op& op : forward_.ops()) {
      if (!IsTrainable(op)) continue;
      const OpId gradient = gradients_[Index(op.id)];
      if (gradient == kNoOp) continue;
      AddOptimizerUpdate(b_, spec_, op.id, gradient);
    }
    return b_.Build();
  }

 private:
  static size_t Index(OpId id) { return static_cast<size_t>(id); }

  static bool IsTrainable(const Op& op) {
    return op.kind == OpKind::kVariable && op.attrs.trainable &&
           IsFloat(op.shape.dtype);
  }

  // Only what lies on a path from a trainable variable needs a gradient.
  void FindWanted() {
    wanted_.assign(Index(b_.size()), false);
    for (OpId id = 0; id < b_.size(); ++id) {
      const Op& op = b_.op(id);
      bool wanted = IsTrainable(op);
      for (const OpId operand : op.operands) {
        wanted = wanted || wanted_[Index(operand)];
      }
      wanted_[Index(id)] = wanted && IsFloat(op.shape.dtype);
    }
  }

  // Data-parallel gradients are summed, so each replica contributes its share
  // of the mean over the global batch.
  absl::Status Differentiate(OpId loss) {
    gradients_.assign(wanted_.size(), kNoOp);
    b_.SetPhase(Phase::kBackward);
    b_.SetScope("gradient");
    gradients_[Index(loss)] =
        b_.Scalar(1 / static_cast<double>(replicas_), DType::kF32);
    for (OpId id = loss; id >= 0; --id) {
      if (!wanted_[Index(id)] || gradients_[Index(id)] == kNoOp) continue;
      if (b_.op(id).operands.empty()) continue;
      TW_RETURN_IF_ERROR(DifferentiateOp(Op(b_.op(id))));
    }
    return b_.status();
  }

  absl::Status DifferentiateOp(const Op& op) {
    const GradientFunction function = FindGradient(op);
    if (function == nullptr) {
      const std::string place = FormatLocation(op.location);
      return absl::UnimplementedError(fmt::format(
          "{}{}{}: found {} on the path to a trainable variable, expected an "
          "op with a gradient",
          place, place.empty() ? "" : ": ", op.name, OpName(op.kind)));
    }
    b_.SetOrigin(op.origin);
    b_.SetLocation(op.location);
    b_.SetScope("gradient/" + op.name);
    const GradientCall call = {b_, op, gradients_[Index(op.id)], wanted_};
    const Gradients gradients = function(call);
    TW_CHECK(gradients.size() == op.operands.size());
    for (size_t i = 0; i < gradients.size(); ++i) {
      if (gradients[i] != kNoOp && call.wants(i)) {
        Accumulate(op.operands[i], gradients[i]);
      }
    }
    return b_.status();
  }

  void Accumulate(OpId value, OpId gradient) {
    OpId& sum = gradients_[Index(value)];
    sum = sum == kNoOp ? gradient : b_.Binary(OpKind::kAdd, sum, gradient);
  }

  const Graph& forward_;
  const TrainingSpec& spec_;
  int64_t replicas_;
  GraphBuilder b_;
  std::vector<bool> wanted_;     // by id of forward and loss ops
  std::vector<OpId> gradients_;  // the same; kNoOp: none so far
};

}  // namespace

absl::StatusOr<Graph> ExpandTraining(const Graph& forward,
                                     const TrainingSpec& spec,
                                     int64_t replicas) {
  TW_CHECK(forward.is_static() && replicas >= 1);
  return TrainingExpansion(forward, spec, replicas).Run();
}

}  // namespace tilewise
