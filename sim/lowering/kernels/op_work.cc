// Dispatch of an op to the lowering function of its class.

#include "sim/lowering/kernels/op_work.h"

#include "base/check.h"
#include "sim/lowering/siblings.h"

namespace tilewise {

OpWork LowerOp(const OpContext& context, const Op& op) {
  if (Siblings(context.program.graph, op).front() != op.id) return {};
  switch (ClassOf(op.kind)) {
    case OpClass::kLeaf:
    case OpClass::kOpaque:
    case OpClass::kTransfer:
      return {};
    case OpClass::kElementwise:
      return LowerElementwise(context, op);
    case OpClass::kData:
      return LowerData(context, op);
    case OpClass::kReduce:
      return LowerReduce(context, op);
    case OpClass::kWindow:
      return LowerWindow(context, op);
    case OpClass::kMxu:
      return op.kind == OpKind::kDot ? LowerDot(context, op)
                                     : LowerConvolution(context, op);
    case OpClass::kIndex:
      return LowerIndexed(context, op);
    case OpClass::kRandom:
      return LowerRandom(context, op);
    case OpClass::kRecurrent:
      return LowerRecurrent(context, op);
    case OpClass::kSort:
      return LowerSort(context, op);
    case OpClass::kAttention:
      return LowerAttention(context, op);
    case OpClass::kCollective:
      return LowerCollective(context, op);
    case OpClass::kComposite:
      break;
  }
  TW_CHECK(ClassOf(op.kind) != OpClass::kComposite);
  return {};
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
