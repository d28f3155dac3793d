// Gradients of ops that move elements: the opposite movement.

#include <algorithm>
#include <utility>

#include "graph/gradients/gradient.h"
#include "graph/moments.h"

namespace tilewise {
namespace {

std::vector<int64_t> Zeros(int64_t rank) {
  return std::vector<int64_t>(static_cast<size_t>(rank), 0);
}

OpId SumOfAll(GraphBuilder& b, OpId x) {
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < b.shape(x).rank(); ++dim) dims.push_back(dim);
  return b.Reduce(Reducer::kSum, x, std::move(dims));
}

// dy with zeros where negative padding cut off.
OpId WithCutOff(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  std::vector<int64_t> low = attrs.pad_low;
  std::vector<int64_t> high = attrs.pad_high;
  bool cuts = false;
  for (std::vector<int64_t>* side : {&low, &high}) {
    for (int64_t& amount : *side) {
      amount = std::max<int64_t>(-amount, 0);
      cuts = cuts || amount > 0;
    }
  }
  if (!cuts) return call.dy;
  return call.builder.Pad(call.dy, 0, std::move(low), std::move(high),
                          Zeros(call.op.shape.rank()));
}

}  // namespace

Gradients BroadcastGradient(const GradientCall& call) {
  std::vector<int64_t> added =
      OtherDims(call.op.shape.rank(), call.op.attrs->dims);
  return {call.builder.Reduce(Reducer::kSum, call.dy, std::move(added))};
}

Gradients ReshapeGradient(const GradientCall& call) {
  return {call.builder.Reshape(call.dy, call.shape(0).dims)};
}

Gradients TransposeGradient(const GradientCall& call) {
  const std::vector<int64_t>& permutation = call.op.attrs->dims;
  std::vector<int64_t> inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) {
    inverse[static_cast<size_t>(permutation[i])] = static_cast<int64_t>(i);
  }
  return {call.builder.Transpose(call.dy, std::move(inverse))};
}

Gradients ReverseGradient(const GradientCall& call) {
  return {call.builder.Reverse(call.dy, call.op.attrs->dims)};
}

Gradients SliceGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  const Shape from = call.shape(0);
  std::vector<int64_t> low = attrs.starts;
  std::vector<int64_t> high = Zeros(from.rank());
  std::vector<int64_t> interior = Zeros(from.rank());
  for (size_t i = 0; i < from.dims.size(); ++i) {
    const int64_t taken = call.op.shape.dims[i].factor;
    const int64_t end = low[i] + (taken - 1) * attrs.strides[i] + 1;
    high[i] = from.dims[i].factor - end;
    interior[i] = taken > 1 ? attrs.strides[i] - 1 : 0;
  }
  return {call.builder.Pad(call.dy, 0, std::move(low), std::move(high),
                           std::move(interior))};
}

Gradients PadGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Attributes& attrs = call.op.attrs;
  const Shape from = call.shape(0);
  std::vector<int64_t> starts = attrs.pad_low;
  std::vector<int64_t> limits = Zeros(from.rank());
  std::vector<int64_t> strides = Zeros(from.rank());
  for (size_t i = 0; i < from.dims.size(); ++i) {
    starts[i] = std::max<int64_t>(starts[i], 0);
    strides[i] = attrs.pad_interior[i] + 1;
    limits[i] = starts[i] + (from.dims[i].factor - 1) * strides[i] + 1;
  }
  const OpId dx = b.Slice(WithCutOff(call), std::move(starts),
                          std::move(limits), std::move(strides));
  if (!call.wants(1)) return {dx, kNoOp};
  const OpId padding =
      b.Binary(OpKind::kSubtract, SumOfAll(b, call.dy), SumOfAll(b, dx));
  return {call.wants(0) ? dx : kNoOp, padding};
}

Gradients ConcatenateGradient(const GradientCall& call) {
  const int64_t dim = call.op.attrs->dims[0];
  Gradients result;
  int64_t start = 0;
  for (size_t i = 0; i < call.op.operands.size(); ++i) {
    const int64_t limit = start + call.shape(i).size(dim);
    result.push_back(call.wants(i)
                         ? call.builder.SliceDim(call.dy, dim, start, limit)
                         : kNoOp);
    start = limit;
  }
  return result;
}

Gradients CopyGradient(const GradientCall& call) { return {call.dy}; }

}  // namespace tilewise
