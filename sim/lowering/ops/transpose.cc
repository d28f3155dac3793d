// Transpose, free where the layouts make up for it, and reverse.

#include <algorithm>
#include <utility>

#include "graph/ops/dims.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/partition/split_dims.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

bool IsIdentity(const std::vector<int64_t>& dims) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

// The broadcast that `x` is in the order of its transpose, unless its operand had
// to be transposed.
OpId MadeInThisOrder(Simplifier& s, const Op& transpose, const Op& x) {
  const std::vector<int64_t>& order = transpose.as<TransposeAttrs>().dims;
  std::vector<int64_t> mapping;
  for (const int64_t dim : x.as<BroadcastAttrs>().dims) {
    mapping.push_back(std::find(order.begin(), order.end(), dim) - order.begin());
  }
  if (!std::is_sorted(mapping.begin(), mapping.end())) return kNoOp;
  return s.Emit(transpose, OpKind::kBroadcast, {x.operands[0]}, transpose.shape,
                BroadcastAttrs{std::move(mapping)});
}

OpId SimplifyTranspose(Simplifier& s, const Op& op) {
  const auto& attrs = op.as<TransposeAttrs>();
  const Op& x = s.op(op.operands[0]);
  if (IsIdentity(attrs.dims)) return x.id;
  if (x.kind == OpKind::kBroadcast) return MadeInThisOrder(s, op, x);
  if (x.kind != OpKind::kTranspose) return kNoOp;
  return s.Emit(op, op.kind, {x.operands[0]}, op.shape,
                TransposeAttrs{ComposedDims(x.as<TransposeAttrs>().dims, attrs.dims)});
}

OpId SimplifyReverse(Simplifier& s, const Op& op) {
  const auto& attrs = op.as<DimsAttrs>();
  const Op& x = s.op(op.operands[0]);
  std::vector<int64_t> kept;
  for (const int64_t dim : attrs.dims) {
    if (x.shape.size(dim) > 1) kept.push_back(dim);
  }
  if (kept.empty()) return x.id;
  if (x.kind == OpKind::kReverse && x.as<DimsAttrs>().dims == kept) return x.operands[0];
  if (kept.size() == attrs.dims.size()) return kNoOp;
  return s.Emit(op, op.kind, {x.id}, op.shape, DimsAttrs{std::move(kept)});
}

std::optional<int64_t> TransposeOperandDim(const Graph&, const Op& op, size_t, int64_t dim) {
  return op.as<TransposeAttrs>().dims[dim];
}

std::optional<int64_t> ReverseOperandDim(const Graph&, const Op& op, size_t, int64_t dim) {
  return DimUnless(HasDim(op.as<DimsAttrs>().dims, dim), dim);
}

// No unit turns lanes round. Each lane moves by a distance of its own, so that a
// register is rotated for each distance and the lanes that fit are kept. Four
// rotations a lane are fitted on openxla/xla#23191, which measures 50 to 90 ms
// for f32[32,64,16,16,8,31] on v6e, where this gives 75.
OpWork ReverseWork(const OpContext& context, const Op& op) {
  const Layout& layout = context.layout(op.id);
  const std::vector<int64_t>& dims = op.as<DimsAttrs>().dims;
  OpWork work = ShiftWork(context, op, ShiftsAlong(layout, dims));
  if (op.shape.rank() == 0 || !HasDim(dims, layout.minor_to_major[0])) return work;
  constexpr int64_t kRotationsOfLane = 4;
  const int64_t lanes = op.shape.size(layout.minor_to_major[0]);
  const auto distances =
      static_cast<double>(std::min(kRotationsOfLane * lanes, context.chip.lanes));
  work.vector.cross_lane = distances * context.registers(op);
  work.vector.alu = work.vector.cross_lane;
  return work;
}

}  // namespace

constexpr LoweringTraits lowering_traits::kTranspose = {.simplify = SimplifyTranspose,
                                                        .operand_dim = TransposeOperandDim,
                                                        .keeps_terms = IsLinear,
                                                        .kernel = KernelKind::kCopy,
                                                        .follows_partition = true,
                                                        .is_virtual = IsBitcastOfOperand,
                                                        .work = UnlessBitcastWork};
constexpr LoweringTraits lowering_traits::kReverse = {.simplify = SimplifyReverse,
                                                      .operand_dim = ReverseOperandDim,
                                                      .same_order = LoweringTraits::SameOrder::kAll,
                                                      .kernel = KernelKind::kCopy,
                                                      .joins_loops = true,
                                                      .work = ReverseWork};

}  // namespace tilewise
