// Softmax and cross entropy as what they are made of.

#include "graph/moments.h"
#include "sim/lowering/decompose/composite_op.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

// x - max(x) over `dims`: its exponentials cannot overflow.
OpId Shifted(GraphBuilder& b, OpId x, const std::vector<int64_t>& dims) {
  const OpId largest = b.Reduce(Reducer::kMax, x, dims);
  return b.Binary(OpKind::kSubtract, x, SpreadOver(b, largest, x, dims));
}

OpId Softmax(const CompositeOp& parts) {
  GraphBuilder& b = parts.b;
  const std::vector<int64_t>& dims = parts.op.as<DimsAttrs>().dims;
  const OpId exp = b.Unary(OpKind::kExp, Shifted(b, parts.InF32(0), dims));
  const OpId sum = b.Reduce(Reducer::kSum, exp, dims);
  return parts.Result(b.Binary(OpKind::kDivide, exp, SpreadOver(b, sum, exp, dims)));
}

// The shifted logit of each row's label, by comparing every class with it.
OpId PickedByIds(GraphBuilder& b, OpId shifted, OpId ids, const std::vector<int64_t>& classes) {
  const Shape shape = b.shape(shifted);
  const OpId iota = b.Iota(shape.WithType(b.shape(ids).dtype), classes[0]);
  const OpId label = b.Broadcast(ids, shape.dims, OtherDims(shape.rank(), classes));
  const OpId hot = b.Compare(Comparison::kEq, iota, label);
  const OpId zero = b.Constant(0, shape);
  return b.Reduce(Reducer::kSum, b.Select(hot, shifted, zero), classes);
}

// log(sum(exp(s))) - s[label], with s the shifted logits; for rows of labels
// sum(labels (log(sum(exp(s))) - s)).
OpId CrossEntropy(const CompositeOp& parts) {
  GraphBuilder& b = parts.b;
  const OpId labels = parts.operands[1];
  const bool ids = !IsFloat(b.shape(labels).dtype);
  const OpId logits = parts.InF32(0);
  const std::vector<int64_t> classes = {b.shape(logits).rank() - 1};
  const OpId shifted = Shifted(b, logits, classes);
  const OpId log_sum =
      b.Unary(OpKind::kLog, b.Reduce(Reducer::kSum, b.Unary(OpKind::kExp, shifted), classes));
  if (ids) {
    return parts.Result(
        b.Binary(OpKind::kSubtract, log_sum, PickedByIds(b, shifted, labels, classes)));
  }
  const OpId loss = b.Binary(OpKind::kSubtract, SpreadOver(b, log_sum, shifted, classes), shifted);
  return parts.Result(
      b.Reduce(Reducer::kSum, b.Binary(OpKind::kMultiply, parts.InF32(1), loss), classes));
}

}  // namespace

constexpr LoweringTraits lowering_traits::kSoftmax = {.decompose = Softmax};
constexpr LoweringTraits lowering_traits::kSoftmaxCrossEntropy = {.decompose = CrossEntropy};

}  // namespace tilewise
