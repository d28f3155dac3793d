// Gradients of indexed access, and of ops nothing is known about.

#include <utility>

#include <fmt/format.h>

#include "graph/gradients/gradient.h"
#include "graph/permutation.h"

namespace tilewise {
namespace {

// dy from where the updates of a scatter went.
OpId UpdatesGradient(const GradientCall& call) {
  const Shape updates = call.shape(2);
  GatherDims dims = call.op.attrs->gather;
  std::vector<int64_t>& sizes = dims.slice_sizes;
  sizes.assign(call.op.shape.dims.size(), 0);
  for (const int64_t dim : dims.collapsed_dims) {
    sizes[static_cast<size_t>(dim)] = 1;
  }
  for (const int64_t dim : dims.operand_batch) {
    sizes[static_cast<size_t>(dim)] = 1;
  }
  size_t next = 0;
  for (int64_t& size : sizes) {
    if (size == 1) continue;
    const Dim part =
        updates.dims[static_cast<size_t>(dims.offset_dims[next++])];
    size = part.per_batch ? kWholeDim : part.factor;
  }
  return call.builder.GatherSlices(call.dy, call.operand(1), std::move(dims));
}

}  // namespace

Gradients GatherGradient(const GradientCall& call) {
  if (call.op.attrs->assign) {
    GraphBuilder& b = call.builder;
    const OpId inverse = InverseOrder(b, call.operand(1));
    return {Permute(b, call.dy, FitRows(b, inverse, call.shape(0).dims[0])),
            kNoOp};
  }
  return {call.builder.ScatterAdd(call.operand(1), call.dy, call.shape(0)),
          kNoOp};
}

Gradients ScatterAddGradient(const GradientCall& call) {
  return {kNoOp, call.builder.Gather(call.dy, call.operand(0))};
}

Gradients GatherSlicesGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  return {b.ScatterSlices(b.Constant(0, call.shape(0)), call.operand(1),
                          call.dy, call.op.attrs->gather, Reducer::kSum, false),
          kNoOp};
}

Gradients AddSlicesGradient(const GradientCall& call) {
  return {call.wants(0) ? call.dy : kNoOp, kNoOp,
          call.wants(2) ? UpdatesGradient(call) : kNoOp};
}

// What was replaced has no say any more.
Gradients AssignSlicesGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  Gradients result(3, kNoOp);
  if (call.wants(0)) {
    result[0] =
        b.ScatterSlices(call.dy, call.operand(1), b.Constant(0, call.shape(2)),
                        call.op.attrs->gather, Reducer::kSum, true);
  }
  if (call.wants(2)) result[2] = UpdatesGradient(call);
  return result;
}

// As unknown as the op itself, but shows up in the step with its shape.
Gradients OpaqueGradient(const GradientCall& call) {
  Gradients result;
  for (size_t i = 0; i < call.op.operands.size(); ++i) {
    std::vector<OpId> operands = call.op.operands;
    operands.push_back(call.dy);
    result.push_back(call.wants(i)
                         ? call.builder.Opaque(
                               fmt::format("{} gradient", call.op.attrs->label),
                               std::move(operands), call.shape(i))
                         : kNoOp);
  }
  return result;
}

}  // namespace tilewise
