// Reshape and bitcast-convert: free where the bytes stay where they are.

#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/partition/split_dims.h"
#include "sim/lowering/simplify/simplifier.h"
#include "sim/lowering/simplify/unit_dims.h"

namespace tilewise {
namespace {

// The dim of `to` that starts at the same elements as `dim` of `from`: equal
// parts of it are the same elements.
std::optional<int64_t> SameElements(const Shape& from, int64_t dim, const Shape& to) {
  int64_t before = 1;
  for (int64_t i = 0; i < dim; ++i) before *= from.size(i);
  int64_t product = 1;
  for (int64_t i = 0; i < to.rank() && product <= before; ++i) {
    if (product == before && to.size(i) > 1) return i;
    product *= to.size(i);
  }
  return std::nullopt;
}

std::optional<int64_t> ReshapeOperandDim(const Graph& graph, const Op& op, size_t, int64_t dim) {
  return SameElements(op.shape, dim, graph.operand(op, 0).shape);
}

std::optional<int64_t> BitcastOperandDim(const Graph& graph, const Op& op, size_t, int64_t dim) {
  return DimUnless(dim >= graph.operand(op, 0).shape.rank(), dim);
}

OpId SimplifyReshape(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  if (x.shape.dims == op.shape.dims) return x.id;
  if (x.kind == OpKind::kReshape) return s.Emit(op, OpKind::kReshape, {x.operands[0]}, op.shape);
  const std::vector<int64_t> becomes = WithoutUnitDims(x.shape.dims, op.shape.dims);
  if (becomes.empty() || !IsMadeOfBroadcasts(s, x.id)) return kNoOp;
  return MadeWithoutUnitDims(s, x.id, becomes, op.shape.dims);
}

// The bits of bits are those of the first.
OpId SimplifyBitcastConvert(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  const bool twice = x.kind == OpKind::kBitcastConvert;
  return twice && s.op(x.operands[0]).shape == op.shape ? x.operands[0] : kNoOp;
}

// Elements are packed or unpacked when the widths differ.
OpWork BitcastConvertWork(const OpContext& context, const Op& op) {
  const bool packs = op.shape.rank() != context.operand(op, 0).shape.rank();
  if (!packs || op.shape.rank() == 0) return {};
  return RearrangeWork(context, op, true);
}

}  // namespace

constexpr LoweringTraits lowering_traits::kReshape = {.simplify = SimplifyReshape,
                                                      .operand_dim = ReshapeOperandDim,
                                                      .keeps_terms = IsLinear,
                                                      .kernel = KernelKind::kCopy,
                                                      .follows_partition = true,
                                                      .is_virtual = IsBitcastOfOperand,
                                                      .work = UnlessBitcastWork};
constexpr LoweringTraits lowering_traits::kBitcastConvert = {
    .simplify = SimplifyBitcastConvert,
    .operand_dim = BitcastOperandDim,
    .same_order = LoweringTraits::SameOrder::kAll,
    .kernel = KernelKind::kCopy,
    .joins_loops = true,
    .work = BitcastConvertWork};

}  // namespace tilewise
