// Gradients of collectives: of the sum of all cores' losses by one core's
// operand.

#include "graph/gradients/gradient.h"

namespace tilewise {

Gradients AllReduceGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.AllReduce(call.dy, attrs.group_size, attrs.axis)};
}

Gradients AllGatherGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.ReduceScatter(call.dy, attrs.dims[0], attrs.group_size,
                                     attrs.axis)};
}

Gradients ReduceScatterGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.AllGather(call.dy, attrs.dims[0], attrs.group_size,
                                 attrs.axis)};
}

Gradients AllToAllGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.AllToAll(call.dy, attrs.dims[1], attrs.dims[0],
                                attrs.group_size, attrs.axis)};
}

Gradients CollectivePermuteGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.CollectivePermute(call.dy, -attrs.shift,
                                         attrs.group_size, attrs.axis)};
}

}  // namespace tilewise
