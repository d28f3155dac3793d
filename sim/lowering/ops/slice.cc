// Slice.

#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/partition/split_dims.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

std::optional<int64_t> SliceOperandDim(const Graph& graph, const Op& op, size_t, int64_t dim) {
  const bool is_all = op.shape.size(dim) == graph.operand(op, 0).shape.size(dim);
  return DimUnless(!is_all || op.as<SliceAttrs>().starts[dim] != 0, dim);
}

bool SliceShifts(const Op& op, const Layout& layout) {
  const auto& attrs = op.as<SliceAttrs>();
  for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
    const bool strides = attrs.strides[dim] != 1;
    if (strides && !IsAligned(layout, dim, 1)) return true;
    if (!IsAligned(layout, dim, attrs.starts[dim])) return true;
  }
  return false;
}

OpWork SliceWork(const OpContext& context, const Op& op) {
  return ShiftWork(context, op, SliceShifts(op, context.layout(op.id)));
}

OpId SimplifySlice(Simplifier& s, const Op& op) {
  return s.shape(op.operands[0]) == op.shape ? op.operands[0] : kNoOp;
}

}  // namespace

constexpr LoweringTraits lowering_traits::kSlice = {.simplify = SimplifySlice,
                                                    .operand_dim = SliceOperandDim,
                                                    .same_order = LoweringTraits::SameOrder::kAll,
                                                    .kernel = KernelKind::kCopy,
                                                    .joins_loops = true,
                                                    .work = SliceWork};

}  // namespace tilewise
