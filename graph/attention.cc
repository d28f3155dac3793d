// Attention as dots around a softmax. Grouped queries keep the group as a dim,
// so that no key is repeated.

#include "graph/attention.h"

#include <algorithm>
#include <utility>

#include "base/math.h"

namespace tilewise {
namespace {

// The score of a key that is not seen: far below any other, and finite, so that
// a row without any seen key gives an average and not NaN.
constexpr double kUnseen = -1e30;

// Stretches the dims [N,heads,queries,keys], each of full size or 1, to the
// `full` dims of the scores.
OpId StretchMask(GraphBuilder& b, OpId mask, const std::vector<Dim>& full, bool is_grouped) {
  std::vector<Dim> dims = b.shape(mask).dims;
  if (is_grouped) {
    const Dim one = {1, false};
    const bool per_head = dims[1] != one;
    const std::vector<Dim> split = {dims[0], per_head ? full[1] : one, per_head ? full[3] : one,
                                    dims[2], dims[3]};
    mask = b.Transpose(b.Reshape(mask, split), {0, 1, 3, 2, 4});
    dims = b.shape(mask).dims;
  }
  return b.BroadcastTo(mask, full);
}

// Query i sees keys up to i + keys - queries: the last one sees all, or of
// these the last so many.
OpId CausalMask(GraphBuilder& b, const Shape& scores, int64_t sliding_window) {
  const Dim queries = scores.dims[2];
  const Dim keys = scores.dims.back();
  const Shape square(DType::kS32, {queries, keys});
  const OpId last = b.BinaryScalar(OpKind::kAdd, b.Iota(square, 0),
                                   static_cast<double>(keys.factor - queries.factor));
  const OpId key = b.Iota(square, 1);
  OpId seen = b.Compare(Comparison::kGe, last, key);
  if (sliding_window > 0) {
    const OpId before =
        b.BinaryScalar(OpKind::kSubtract, last, static_cast<double>(sliding_window));
    seen = b.Binary(OpKind::kAnd, seen, b.Compare(Comparison::kGt, key, before));
  }
  return b.Broadcast(seen, scores.dims, {2, scores.rank() - 1});
}

Shape ScoresShape(const GraphBuilder& b, const AttentionOperands& operands) {
  const std::vector<Dim>& q = b.shape(operands.q).dims;
  Shape scores(DType::kF32, {q[0], q[2], q[1]});
  if (operands.is_grouped) scores.dims.push_back(q[3]);
  scores.dims.push_back(b.shape(operands.k).dims[1]);
  return scores;
}

}  // namespace

int64_t AttentionKeyBlock(int64_t keys) {
  return std::min(kAttentionBlock, RoundUp(keys, kStatisticLanes));
}

AttentionOperands GroupHeads(GraphBuilder& b, OpId q, OpId k, OpId v, OpId mask) {
  AttentionOperands operands = {q, k, v, mask, false};
  const std::vector<Dim> dims = b.shape(q).dims;
  const Dim groups = b.shape(k).dims[2];
  if (!b.ok() || dims[2] == groups) return operands;
  const Dim members = {dims[2].factor / groups.factor, false};
  operands.is_grouped = true;
  operands.q = b.Reshape(q, {dims[0], dims[1], groups, members, dims[3]});
  return operands;
}

OpId SumOverDepth(GraphBuilder& b, OpId y, OpId z, bool is_grouped, int64_t precision_passes) {
  const int64_t depth = is_grouped ? 4 : 3;
  return b.Dot(y, z, {{0, 2}, {0, 2}, {depth}, {3}}, precision_passes);
}

OpId SumOverKeys(GraphBuilder& b, OpId x, OpId y, bool is_grouped, int64_t precision_passes) {
  const int64_t keys = is_grouped ? 4 : 3;
  const OpId sum = b.Dot(x, y, {{0, 1}, {0, 2}, {keys}, {1}}, precision_passes);
  if (!is_grouped) return b.Transpose(sum, {0, 2, 1, 3});
  const OpId grouped = b.Transpose(sum, {0, 2, 1, 3, 4});
  const std::vector<Dim> dims = b.shape(grouped).dims;
  const Dim heads = {dims[2].factor * dims[3].factor, false};
  return b.Reshape(grouped, {dims[0], dims[1], heads, dims[4]});
}

OpId SumOverQueries(GraphBuilder& b, OpId x, OpId y, bool is_grouped, int64_t precision_passes) {
  DotDims dims = {{0, 1}, {0, 2}, {2}, {1}};
  if (is_grouped) {
    dims.lhs_contract = {2, 3};
    dims.rhs_contract = {1, 3};
  }
  return b.Transpose(b.Dot(x, y, std::move(dims), precision_passes), {0, 2, 1, 3});
}

OpId SeenKeys(GraphBuilder& b, const AttentionOperands& operands, const AttentionAttrs& attention) {
  if (!b.ok()) return kNoOp;
  const Shape scores = ScoresShape(b, operands);
  OpId seen = kNoOp;
  if (operands.mask != kNoOp && b.shape(operands.mask).dtype == DType::kPred) {
    seen = StretchMask(b, operands.mask, scores.dims, operands.is_grouped);
  }
  if (!attention.causal) return seen;
  const OpId earlier = CausalMask(b, scores, attention.sliding_window);
  return seen == kNoOp ? earlier : b.Binary(OpKind::kAnd, seen, earlier);
}

OpId AttentionWeights(GraphBuilder& b, const AttentionOperands& operands,
                      const AttentionAttrs& attention) {
  const OpId products =
      SumOverDepth(b, operands.q, operands.k, operands.is_grouped, attention.precision_passes);
  OpId scores =
      b.BinaryScalar(OpKind::kMultiply, b.Convert(products, DType::kF32), attention.scale);
  const Shape shape = b.shape(scores);
  if (operands.mask != kNoOp && IsFloat(b.shape(operands.mask).dtype)) {
    const OpId mask = StretchMask(b, operands.mask, shape.dims, operands.is_grouped);
    scores = b.Binary(OpKind::kAdd, scores, b.Convert(mask, DType::kF32));
  }
  const OpId seen = SeenKeys(b, operands, attention);
  if (seen != kNoOp) {
    scores = b.Select(seen, scores, b.Constant(kUnseen, shape));
  }
  // Frameworks keep the scores in the type of the operands, bf16 for bf16
  // models; f16 cannot hold the unseen ones.
  const DType type = b.shape(operands.q).dtype;
  if (type == DType::kBF16) scores = b.Convert(scores, type);
  return b.Convert(b.Softmax(scores, shape.rank() - 1), type);
}

OpId AttentionResult(GraphBuilder& b, const AttentionOperands& operands, OpId weights,
                     const AttentionAttrs& attention) {
  return SumOverKeys(b, weights, operands.v, operands.is_grouped, attention.precision_passes);
}

OpId ScoresToMask(GraphBuilder& b, OpId x, const AttentionOperands& operands, const Shape& mask) {
  if (operands.is_grouped) {
    const OpId moved = b.Transpose(x, {0, 1, 3, 2, 4});
    const std::vector<Dim> dims = b.shape(moved).dims;
    const Dim heads = {dims[1].factor * dims[2].factor, false};
    x = b.Reshape(moved, {dims[0], heads, dims[3], dims[4]});
  }
  std::vector<int64_t> summed;
  for (int64_t dim = 0; dim < 4; ++dim) {
    if (mask.dims[dim] != b.shape(x).dims[dim]) summed.push_back(dim);
  }
  if (!summed.empty()) x = b.Reduce(Reducer::kSum, x, summed);
  return b.Convert(b.Reshape(x, mask.dims), mask.dtype);
}

}  // namespace tilewise
