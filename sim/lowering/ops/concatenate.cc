// Concatenate.

#include "graph/ops/dims.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/partition/split_dims.h"

namespace tilewise {
namespace {

bool ConcatenateShifts(const OpContext& context, const Op& op, const Layout& layout) {
  const auto& attrs = op.as<DimsAttrs>();
  int64_t offset = 0;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (!IsAligned(layout, attrs.dims[0], offset)) return true;
    offset += context.operand(op, static_cast<int>(i)).shape.size(attrs.dims[0]);
  }
  return false;
}

OpWork ConcatenateWork(const OpContext& context, const Op& op) {
  const bool shifts = op.shape.rank() != 0 && ConcatenateShifts(context, op, context.layout(op.id));
  return ShiftWork(context, op, shifts);
}

std::optional<int64_t> ConcatenateOperandDim(const Graph&, const Op& op, size_t, int64_t dim) {
  return DimUnless(HasDim(op.as<DimsAttrs>().dims, dim), dim);
}

OpId SimplifyConcatenate(Simplifier&, const Op& op) {
  return op.operands.size() == 1 ? op.operands[0] : kNoOp;
}

}  // namespace

constexpr LoweringTraits lowering_traits::kConcatenate = {
    .simplify = SimplifyConcatenate,
    .operand_dim = ConcatenateOperandDim,
    .same_order = LoweringTraits::SameOrder::kAll,
    .kernel = KernelKind::kCopy,
    .joins_loops = true,
    .work = ConcatenateWork};

}  // namespace tilewise
