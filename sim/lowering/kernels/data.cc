// Ops that move elements. Moves along untiled dims are only addresses; along
// the tiled dims they rotate and mask registers, and a change of the lanes dim
// goes through the cross-lane unit (tpu-lowering 1.3, 5).

#include <algorithm>

#include "sim/lowering/bitcast.h"
#include "sim/lowering/kernels/op_work.h"

namespace tilewise {
namespace {

// Whether `offset` along `dim` leaves rows and lanes where they are.
bool IsAligned(const Layout& layout, int64_t dim, int64_t offset) {
  const std::vector<int64_t>& order = layout.minor_to_major;
  if (dim == order[0]) return offset % layout.tile_lanes == 0;
  if (order.size() > 1 && dim == order[1]) {
    return offset % layout.tile_sublanes == 0;
  }
  return true;
}

bool SliceShifts(const Op& op, const Layout& layout) {
  for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
    const auto i = static_cast<size_t>(dim);
    const bool strides = op.attrs->strides[i] != 1;
    if (strides && !IsAligned(layout, dim, 1)) return true;
    if (!IsAligned(layout, dim, op.attrs->starts[i])) return true;
  }
  return false;
}

bool PadShifts(const Op& op, const Layout& layout) {
  for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
    const auto i = static_cast<size_t>(dim);
    const bool spreads =
        i < op.attrs->pad_interior.size() && op.attrs->pad_interior[i] != 0;
    if (spreads && !IsAligned(layout, dim, 1)) return true;
    if (!IsAligned(layout, dim, op.attrs->pad_low[i])) return true;
  }
  return false;
}

bool ConcatenateShifts(const OpContext& context, const Op& op,
                       const Layout& layout) {
  int64_t offset = 0;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (!IsAligned(layout, op.attrs->dims[0], offset)) return true;
    offset +=
        context.operand(op, static_cast<int>(i)).shape.size(op.attrs->dims[0]);
  }
  return false;
}

bool Shifts(const OpContext& context, const Op& op, const Layout& layout) {
  if (op.shape.rank() == 0) return false;
  switch (op.kind) {
    case OpKind::kSlice:
      return SliceShifts(op, layout);
    case OpKind::kPad:
      return PadShifts(op, layout);
    case OpKind::kConcatenate:
      return ConcatenateShifts(context, op, layout);
    case OpKind::kReverse:
      return std::any_of(
          op.attrs->dims.begin(), op.attrs->dims.end(),
          [&](int64_t dim) { return !IsAligned(layout, dim, 1); });
    case OpKind::kReshape:
    case OpKind::kTranspose: {
      const Op& from = context.operand(op, 0);
      return !IsBitcast(op, from.shape, context.layout(from.id), layout,
                        context.chip);
    }
    case OpKind::kBitcastConvert:  // packs or unpacks when the widths differ
      return op.shape.rank() != context.operand(op, 0).shape.rank();
    case OpKind::kCopy: {
      const Layout& from = context.layout(op.operands[0]);
      return from.minor_to_major[0] != layout.minor_to_major[0];
    }
    case OpKind::kDynamicSlice:
    case OpKind::kDynamicUpdateSlice:
      // The offset is not known: along a tiled dim it is taken as unaligned.
      return std::any_of(
          op.attrs->dims.begin(), op.attrs->dims.end(),
          [&](int64_t dim) { return !IsAligned(layout, dim, 1); });
    default:
      return false;
  }
}

}  // namespace

OpWork LowerData(const OpContext& context, const Op& op) {
  OpWork work;
  const bool is_move = op.kind == OpKind::kReshape ||
                       op.kind == OpKind::kTranspose ||
                       op.kind == OpKind::kBitcastConvert;
  if (op.kind == OpKind::kBroadcast || op.kind == OpKind::kBarrier) return work;
  const bool shifts = Shifts(context, op, context.layout(op.id));
  if (is_move && !shifts) return work;
  const double registers = context.registers(op);
  work.vector.alu = registers;  // a move or a select under a mask
  if (!shifts) return work;
  if (op.kind == OpKind::kDynamicUpdateSlice) {
    work.vector.cross_lane = context.registers(context.operand(op, 1));
    return work;
  }
  work.vector.cross_lane =
      is_move || op.kind == OpKind::kCopy
          ? std::max(registers, context.registers(context.operand(op, 0)))
          : registers;
  return work;
}

}  // namespace tilewise
