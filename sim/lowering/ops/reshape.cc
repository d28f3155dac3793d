// Reshape and bitcast-convert: free where the bytes stay where they are.

#include <algorithm>

#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/partition/split_dims.h"
#include "sim/lowering/simplify/merged_dims.h"
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

// A broadcast whose dims are merged: what is merged with dims of its operand is made before, so
// that the broadcast to the others remains one.
OpId BroadcastBehindMerge(Simplifier& s, const Op& op, const Op& broadcast) {
  const std::vector<Dim> split = broadcast.shape.dims;
  const std::vector<int64_t> ends = EndsOfParts(op.shape.dims, split);
  const std::vector<int64_t> mapping = broadcast.as<BroadcastAttrs>().dims;
  const auto is_mapped = [&](int64_t dim) { return std::ranges::count(mapping, dim) > 0; };
  Shape made(op.shape.dtype, {}), merged(op.shape.dtype, {});
  std::vector<int64_t> kept, from;  // dims of the result, and of `made`, that are the operand's
  for (size_t i = 0; i < ends.size(); ++i) {
    const int64_t begin = i == 0 ? 0 : ends[i - 1];
    bool any = false;
    for (int64_t at = begin; at < ends[i]; ++at) any = any || is_mapped(at);
    if (!any) continue;
    kept.push_back(static_cast<int64_t>(i));
    merged.dims.push_back(op.shape.dims[i]);
    for (int64_t at = begin; at < ends[i]; ++at) {
      if (is_mapped(at)) from.push_back(made.rank());
      made.dims.push_back(split[at]);
    }
  }
  if (ends.empty() || kept.size() == ends.size()) return kNoOp;
  OpId x = broadcast.operands[0];
  if (from.size() < made.dims.size()) {
    x = s.Emit(op, OpKind::kBroadcast, {x}, made, BroadcastAttrs{std::move(from)});
  }
  x = s.Emit(op, OpKind::kReshape, {x}, std::move(merged));
  return s.Emit(op, OpKind::kBroadcast, {x}, op.shape, BroadcastAttrs{std::move(kept)});
}

OpId SimplifyReshape(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  if (x.shape.dims == op.shape.dims) return x.id;
  if (x.kind == OpKind::kReshape) return s.Emit(op, OpKind::kReshape, {x.operands[0]}, op.shape);
  if (x.kind == OpKind::kBroadcast) {
    const Op broadcast = x;  // emitting may move the ops
    const OpId behind = BroadcastBehindMerge(s, op, broadcast);
    if (behind != kNoOp) return behind;
  }
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
