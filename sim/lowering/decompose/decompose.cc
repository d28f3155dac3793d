// Pass decompose: composite ops -> primitive ones, as XLA and its front ends
// expand them. Statistics and normalisations of narrow floats are computed in
// f32.

#include <cmath>
#include <numbers>
#include <utility>

#include "graph/attention.h"
#include "graph/moments.h"
#include "sim/lowering/passes.h"
#include "sim/lowering/rewrite.h"

namespace tilewise {
namespace {

// One composite op and where its parts go.
struct Parts {
  GraphBuilder& b;
  const Op& op;
  std::vector<OpId> operands;  // in the new graph

  OpId InF32(size_t operand) const {
    return b.Convert(operands[operand], DType::kF32);
  }
  OpId Result(OpId x) const { return b.Convert(x, op.shape.dtype); }
};

// x - max(x) over `dims`: its exponentials cannot overflow.
OpId Shifted(GraphBuilder& b, OpId x, const std::vector<int64_t>& dims) {
  const OpId largest = b.Reduce(Reducer::kMax, x, dims);
  return b.Binary(OpKind::kSubtract, x, SpreadOver(b, largest, x, dims));
}

OpId Softmax(const Parts& parts) {
  GraphBuilder& b = parts.b;
  const std::vector<int64_t>& dims = parts.op.attrs->dims;
  const OpId exp = b.Unary(OpKind::kExp, Shifted(b, parts.InF32(0), dims));
  const OpId sum = b.Reduce(Reducer::kSum, exp, dims);
  return parts.Result(
      b.Binary(OpKind::kDivide, exp, SpreadOver(b, sum, exp, dims)));
}

// The shifted logit of each row's label, by comparing every class with it.
OpId PickedByIds(GraphBuilder& b, OpId shifted, OpId ids,
                 const std::vector<int64_t>& classes) {
  const Shape shape = b.shape(shifted);
  const OpId iota = b.Iota(shape.WithType(b.shape(ids).dtype), classes[0]);
  const OpId label =
      b.Broadcast(ids, shape.dims, OtherDims(shape.rank(), classes));
  const OpId hot = b.Compare(Comparison::kEq, iota, label);
  const OpId zero = b.Constant(0, shape);
  return b.Reduce(Reducer::kSum, b.Select(hot, shifted, zero), classes);
}

// log(sum(exp(s))) - s[label], with s the shifted logits; for rows of labels
// sum(labels (log(sum(exp(s))) - s)).
OpId CrossEntropy(const Parts& parts) {
  GraphBuilder& b = parts.b;
  const OpId labels = parts.operands[1];
  const bool ids = !IsFloat(b.shape(labels).dtype);
  const OpId logits = parts.InF32(0);
  const std::vector<int64_t> classes = {b.shape(logits).rank() - 1};
  const OpId shifted = Shifted(b, logits, classes);
  const OpId log_sum =
      b.Unary(OpKind::kLog,
              b.Reduce(Reducer::kSum, b.Unary(OpKind::kExp, shifted), classes));
  if (ids) {
    return parts.Result(b.Binary(OpKind::kSubtract, log_sum,
                                 PickedByIds(b, shifted, labels, classes)));
  }
  const OpId loss = b.Binary(OpKind::kSubtract,
                             SpreadOver(b, log_sum, shifted, classes), shifted);
  return parts.Result(
      b.Reduce(Reducer::kSum, b.Binary(OpKind::kMultiply, parts.InF32(1), loss),
               classes));
}

// normalized * scale + offset, where both run over `feature_dims`.
OpId ScaleAndOffset(const Parts& parts, OpId normalized,
                    const std::vector<int64_t>& feature_dims) {
  GraphBuilder& b = parts.b;
  const auto others = OtherDims(parts.op.shape.rank(), feature_dims);
  const OpId scale = SpreadOver(b, parts.InF32(1), normalized, others);
  const OpId offset = SpreadOver(b, parts.InF32(2), normalized, others);
  const OpId scaled = b.Binary(OpKind::kMultiply, normalized, scale);
  return parts.Result(b.Binary(OpKind::kAdd, scaled, offset));
}

OpId BatchNorm(const Parts& parts) {
  GraphBuilder& b = parts.b;
  const auto dims = OtherDims(parts.op.shape.rank(), parts.op.attrs->dims);
  const double epsilon = parts.op.attrs->epsilon;
  const OpId x = parts.InF32(0);
  Moments moments;
  if (parts.op.kind == OpKind::kBatchNormTraining) {
    moments = MomentsOf(b, x, dims, epsilon);
  } else {
    const OpId variance = parts.InF32(4);
    moments = {parts.InF32(3),
               b.Unary(OpKind::kRsqrt,
                       b.BinaryScalar(OpKind::kAdd, variance, epsilon))};
  }
  return ScaleAndOffset(parts, Normalized(b, x, moments, dims),
                        parts.op.attrs->dims);
}

OpId LayerNorm(const Parts& parts) {
  GraphBuilder& b = parts.b;
  const std::vector<int64_t>& dims = parts.op.attrs->dims;
  const OpId x = parts.InF32(0);
  const Moments moments = MomentsOf(b, x, dims, parts.op.attrs->epsilon);
  return ScaleAndOffset(parts, Normalized(b, x, moments, dims), dims);
}

// x (1 + erf(x / sqrt 2)) / 2, or with tanh in the place of erf.
OpId Gelu(const Parts& parts) {
  GraphBuilder& b = parts.b;
  const OpId x = parts.operands[0];
  const auto times = [&](OpId y, double c) {
    return b.BinaryScalar(OpKind::kMultiply, y, c);
  };
  OpId curve = kNoOp;
  if (parts.op.attrs->approximate) {
    const OpId cubic = times(b.Binary(OpKind::kMultiply, x, x), 0.044715);
    const OpId inner =
        b.Binary(OpKind::kMultiply, x, b.BinaryScalar(OpKind::kAdd, cubic, 1));
    curve =
        b.Unary(OpKind::kTanh, times(inner, std::sqrt(2 / std::numbers::pi)));
  } else {
    curve = b.Unary(OpKind::kErf, times(x, 1 / std::numbers::sqrt2));
  }
  const OpId half = times(b.BinaryScalar(OpKind::kAdd, curve, 1), 0.5);
  return b.Binary(OpKind::kMultiply, x, half);
}

// One kernel that keeps no scores, or dots around a softmax, which is
// decomposed in its turn.
OpId Attention(const Parts& parts) {
  GraphBuilder& b = parts.b;
  const Attributes& attrs = parts.op.attrs;
  if (attrs.flash) return b.FlashAttention(parts.operands, attrs, 0);
  const OpId mask = parts.operands.size() > 3 ? parts.operands[3] : kNoOp;
  const AttentionOperands operands = GroupHeads(
      b, parts.operands[0], parts.operands[1], parts.operands[2], mask);
  const OpId weights = AttentionWeights(b, operands, attrs);
  return AttentionResult(b, operands, weights, attrs);
}

OpId Decomposed(const Parts& parts) {
  switch (parts.op.kind) {
    case OpKind::kSoftmax:
      return Softmax(parts);
    case OpKind::kSoftmaxCrossEntropy:
      return CrossEntropy(parts);
    case OpKind::kBatchNormTraining:
    case OpKind::kBatchNormInference:
      return BatchNorm(parts);
    case OpKind::kLayerNorm:
      return LayerNorm(parts);
    case OpKind::kGelu:
      return Gelu(parts);
    case OpKind::kAttention:
      return Attention(parts);
    default:
      TW_CHECK(false);
      return kNoOp;
  }
}

bool HasComposite(const Graph& graph) {
  for (const Op& op : graph.ops()) {
    if (ClassOf(op.kind) == OpClass::kComposite) return true;
  }
  return false;
}

absl::StatusOr<Graph> DecomposeOnce(Graph graph) {
  Rewrite rewrite(graph);
  OpList ops = std::move(graph).TakeOps();
  for (Op& op : ops) {
    if (ClassOf(op.kind) != OpClass::kComposite) {
      rewrite.Move(std::move(op));
      continue;
    }
    rewrite.EnterContextOf(op);
    const Parts parts = {rewrite.builder(), op, rewrite.Operands(op)};
    rewrite.Replace(op, Decomposed(parts));
  }
  return rewrite.Finish();
}

}  // namespace

absl::Status RunDecompose(Program& program, const LoweringContext&) {
  while (HasComposite(program.graph)) {
    TW_ASSIGN_OR_RETURN(program.graph, DecomposeOnce(std::move(program.graph)));
  }
  return absl::OkStatus();
}

}  // namespace tilewise
