// Work by op kind, and sums of it.

#include "sim/lowering/kernels/op_work.h"

#include "base/check.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/siblings.h"

namespace tilewise {

OpWork LowerOp(const OpContext& context, const Op& op) {
  TW_CHECK(ClassOf(op.kind) != OpClass::kComposite);
  const auto work = LoweringTraitsOf(op.kind).work;
  if (work == nullptr) return {};
  if (Siblings(context.program.graph, op).front() != op.id) return {};
  return work(context, op);
}

VectorWork operator+(VectorWork a, const VectorWork& b) {
  a.alu += b.alu;
  a.transcendental += b.transcendental;
  a.cross_lane += b.cross_lane;
  a.loads += b.loads;
  a.stores += b.stores;
  return a;
}

VectorWork operator*(double times, VectorWork work) {
  work.alu *= times;
  work.transcendental *= times;
  work.cross_lane *= times;
  work.loads *= times;
  work.stores *= times;
  return work;
}

}  // namespace tilewise
