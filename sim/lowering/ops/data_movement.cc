// Work of ops that move elements, and rewriting of their dims.

#include "sim/lowering/ops/data_movement.h"

#include <algorithm>
#include <utility>

#include "sim/lowering/bitcast.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {

bool IsAligned(const Layout& layout, int64_t dim, int64_t offset) {
  const std::vector<int64_t>& order = layout.minor_to_major;
  if (dim == order[0]) return offset % layout.tile_lanes == 0;
  if (order.size() > 1 && dim == order[1]) {
    return offset % layout.tile_sublanes == 0;
  }
  return true;
}

bool ShiftsAlong(const Layout& layout, const std::vector<int64_t>& dims) {
  return std::any_of(dims.begin(), dims.end(),
                     [&](int64_t dim) { return !IsAligned(layout, dim, 1); });
}

OpWork ShiftWork(const OpContext& context, const Op& op, bool shifts) {
  OpWork work;
  work.vector.alu = context.registers(op);
  if (shifts) work.vector.cross_lane = work.vector.alu;
  return work;
}

OpWork RearrangeWork(const OpContext& context, const Op& op, bool shifts) {
  OpWork work = ShiftWork(context, op, shifts);
  if (shifts) {
    work.vector.cross_lane = std::max(work.vector.alu, context.registers(context.operand(op, 0)));
  }
  return work;
}

std::vector<int64_t> ComposedDims(const std::vector<int64_t>& outer,
                                  const std::vector<int64_t>& inner) {
  std::vector<int64_t> composed;
  for (const int64_t dim : inner) {
    composed.push_back(outer[dim]);
  }
  return composed;
}

bool IsBitcastOfOperand(const Program& program, const Op& op, const Chip&) {
  const size_t from = op.operands[0];
  return IsBitcast(op, program.graph.operand(op, 0).shape, program.layouts[from],
                   program.layouts[op.id]);
}

OpWork UnlessBitcastWork(const OpContext& context, const Op& op) {
  const bool is_free =
      op.shape.rank() == 0 || IsBitcastOfOperand(context.program, op, context.chip);
  return is_free ? OpWork{} : RearrangeWork(context, op, true);
}

}  // namespace tilewise
