// Clones every op on operands of the compute type, with conversions where a
// value is needed in the other one; each is made once.

#include "session/compute_type.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

bool IsNormalisation(OpKind kind) {
  return kind == OpKind::kBatchNormTraining || kind == OpKind::kBatchNormInference ||
         kind == OpKind::kLayerNorm;
}

// Returns whether a leaf is made in f32 whatever its users compute in. An index
// may be too large for a narrow type to count.
bool IsWideLeaf(OpKind kind) {
  return kind == OpKind::kParameter || kind == OpKind::kVariable || kind == OpKind::kIota ||
         ClassOf(kind) == OpClass::kRandom;
}

class Caster {
 public:
  Caster(const Graph& graph, DType type, WeightType weights)
      : graph_(graph), type_(type), weights_(weights), builder_(graph.name()) {
    const size_t size = graph.size();
    made_.assign(size, kNoOp);
    cast_.assign(size, kNoOp);
    stays_.assign(size, false);
    for (const Output& output : graph.outputs()) {
      const Shape& shape = graph.op(output.value).shape;
      KeepSoftmax(output.value);
      if (output.role == Output::Role::kState) KeepBehind(output.value, false);
      if (IsFloat(shape.dtype) && shape.rank() == 0) {
        KeepBehind(output.value, true);
      }
    }
  }

  absl::StatusOr<Graph> Run() {
    for (const Op& op : graph_.ops()) {
      made_[op.id] = Make(op);
      if (!builder_.ok()) return builder_.status();
    }
    for (const Output& output : graph_.outputs()) {
      const Op& value = graph_.op(output.value);
      builder_.AddOutput(In(value.id, value.shape.dtype), output.role,
                         output.variable == kNoOp ? kNoOp : made_[output.variable]);
    }
    return builder_.Build();
  }

 private:
  // A softmax that is a result of the model, or is only rearranged into one.
  void KeepSoftmax(OpId id) {
    while (graph_.op(id).kind == OpKind::kReshape) {
      id = graph_.op(id).operands[0];
    }
    if (graph_.op(id).kind != OpKind::kSoftmax) return;
    stays_[id] = true;
  }

  // The update of a variable up to its gradient, or a loss up to the layer it
  // is of: elementwise ops, and reductions of the loss.
  void KeepBehind(OpId value, bool reductions) {
    std::vector<OpId> left = {value};
    while (!left.empty()) {
      const Op& op = graph_.op(left.back());
      left.pop_back();
      const bool passes = ClassOf(op.kind) == OpClass::kElementwise ||
                          op.kind == OpKind::kBroadcast || op.kind == OpKind::kReshape ||
                          op.kind == OpKind::kConstant || op.kind == OpKind::kSoftmaxCrossEntropy ||
                          (reductions && ClassOf(op.kind) == OpClass::kReduce);
      if (!passes || stays_[op.id]) continue;
      stays_[op.id] = true;
      left.insert(left.end(), op.operands.begin(), op.operands.end());
    }
  }

  // A matrix or image that is held in the type from the start.
  bool IsStoredNarrow(const Op& op) const {
    return weights_ == WeightType::kCompute && op.shape.rank() >= 2 &&
           (op.kind == OpKind::kParameter || op.kind == OpKind::kVariable);
  }

  bool ComputesWide(const Op& op) const {
    if (IsStoredNarrow(op)) return false;
    // Bits that are read as another type are those of this one.
    const bool bits = op.kind == OpKind::kBitcastConvert;
    // Complex numbers have no narrower type.
    const bool part =
        op.kind == OpKind::kComplex || op.kind == OpKind::kReal || op.kind == OpKind::kImag;
    return bits || part || IsNormalisation(op.kind) || IsWideLeaf(op.kind) || stays_[op.id];
  }

  // The value of `source` as `wanted`, made where it is needed first.
  OpId In(OpId source, DType wanted) {
    if (builder_.shape(made_[source]).dtype == wanted) return made_[source];
    if (cast_[source] == kNoOp) {
      const Op& op = graph_.op(source);
      builder_.SetLocation(op.location);
      builder_.SetScope(op.name);
      builder_.SetPhase(op.phase);
      builder_.SetLoop(op.loop);
      builder_.SetOrigin(op.origin);
      cast_[source] = builder_.Convert(made_[source], wanted);
    }
    return cast_[source];
  }

  // Rows of a table are cast after they are picked, not all of the table.
  bool ReadsTable(const Op& op, size_t operand) const {
    return op.kind == OpKind::kGather && operand == 0 &&
           graph_.operand(op, 0).kind == OpKind::kVariable &&
           !IsStoredNarrow(graph_.operand(op, 0));
  }

  OpId Make(const Op& op) {
    const bool wide = ComputesWide(op);
    const bool picks = !op.operands.empty() && ReadsTable(op, 0);
    std::vector<OpId> operands;
    operands.reserve(op.operands.size());
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const DType was = graph_.op(op.operands[i]).shape.dtype;
      const bool narrow = was == DType::kF32 && !wide && !ReadsTable(op, i);
      operands.push_back(In(op.operands[i], narrow ? type_ : was));
    }
    const bool was_wide = op.shape.dtype == DType::kF32;
    if (op.kind == OpKind::kConvert && was_wide && builder_.shape(operands[0]).dtype == type_) {
      return operands[0];
    }
    Op copy = op;
    if (was_wide && !wide && !picks) copy.shape.dtype = type_;
    return builder_.Clone(copy, std::move(operands), true);
  }

  const Graph& graph_;
  DType type_;
  WeightType weights_;
  GraphBuilder builder_;
  std::vector<OpId> made_;   // by op of graph_
  std::vector<OpId> cast_;   // the same value in the other type
  std::vector<bool> stays_;  // computes in f32
};

}  // namespace

absl::StatusOr<Graph> WithComputeType(const Graph& graph, DType type, WeightType weights) {
  return Caster(graph, type, weights).Run();
}

}  // namespace tilewise
