// The reduce op, and the one that finds where the largest or smallest is.

#include "sim/lowering/kernels/reduce.h"

#include <algorithm>
#include <utility>

#include "graph/moments.h"
#include "graph/ops/dims.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/simplify/simplifier.h"
#include "sim/lowering/simplify/unit_dims.h"

namespace tilewise {
namespace {

OpWork ReduceOpWork(const OpContext& context, const Op& op) {
  const Op& operand = context.operand(op, 0);
  const VectorWork reduce = ReduceWork(operand.shape, context.layout(operand.id),
                                       op.as<ReduceAttrs>().dims, context.chip);
  return {.matrix = {}, .vector = reduce};
}

OpWork ArgReduceWork(const OpContext& context, const Op& op) {
  return {.matrix = {}, .vector = kKeepingIndex * ReduceOpWork(context, op).vector};
}

std::optional<int64_t> ReduceOperandDim(const Graph& graph, const Op& op, size_t, int64_t dim) {
  const int64_t rank = graph.operand(op, 0).shape.rank();
  for (int64_t i = 0; i < rank; ++i) {
    if (HasDim(op.as<ReduceAttrs>().dims, i)) continue;
    if (dim-- == 0) return i;
  }
  return std::nullopt;
}

// Sums of terms are terms of the sum.
bool IsSumOfTerms(const Op& op) { return op.as<ReduceAttrs>().reducer == Reducer::kSum; }

// A transposed operand of a reduction, when the kept dims keep their order.
// What was given dims of size 1 is reduced without them.
OpId ReduceWithoutUnitDims(Simplifier& s, const Op& op, const Op& reshape) {
  const OpId source = reshape.operands[0];
  const std::vector<Dim> dims = s.shape(source).dims;
  const std::vector<int64_t> becomes = WithoutUnitDims(reshape.shape.dims, dims);
  if (becomes.empty() || dims.size() == becomes.size()) return kNoOp;
  const auto& attrs = op.as<ReduceAttrs>();
  std::vector<int64_t> over;
  for (const int64_t dim : attrs.dims) {
    if (becomes[dim] >= 0) over.push_back(becomes[dim]);
  }
  Shape shape(op.shape.dtype, {});
  for (const int64_t dim : OtherDims(static_cast<int64_t>(dims.size()), over)) {
    shape.dims.push_back(dims[dim]);
  }
  const OpId reduced =
      s.Emit(op, op.kind, {source}, std::move(shape), ReduceAttrs{std::move(over), attrs.reducer});
  return s.Emit(op, OpKind::kReshape, {reduced}, op.shape);
}

OpId SimplifyReduce(Simplifier& s, const Op& op) {
  const auto& attrs = op.as<ReduceAttrs>();
  const Op& x = s.op(op.operands[0]);
  const std::vector<int64_t>& dims = attrs.dims;
  const bool nothing =
      std::all_of(dims.begin(), dims.end(), [&](int64_t dim) { return x.shape.size(dim) == 1; });
  if (nothing) {
    return s.Emit(op, OpKind::kReshape, {x.id}, op.shape);
  }
  if (x.kind == OpKind::kReshape) return ReduceWithoutUnitDims(s, op, x);
  if (x.kind != OpKind::kTranspose) return kNoOp;
  const std::vector<int64_t> kept =
      ComposedDims(x.as<TransposeAttrs>().dims, OtherDims(x.shape.rank(), dims));
  if (!std::is_sorted(kept.begin(), kept.end())) return kNoOp;
  std::vector<int64_t> moved = ComposedDims(x.as<TransposeAttrs>().dims, dims);
  std::sort(moved.begin(), moved.end());
  return s.Emit(op, op.kind, {x.operands[0]}, op.shape,
                ReduceAttrs{std::move(moved), attrs.reducer});
}

}  // namespace

constexpr LoweringTraits lowering_traits::kReduce = {.simplify = SimplifyReduce,
                                                     .operand_dim = ReduceOperandDim,
                                                     .keeps_terms = IsSumOfTerms,
                                                     .kernel = KernelKind::kReduce,
                                                     .work = ReduceOpWork};
constexpr LoweringTraits lowering_traits::kArgReduce = {
    .operand_dim = ReduceOperandDim, .kernel = KernelKind::kReduce, .work = ArgReduceWork};

}  // namespace tilewise
