// Pad: a scalar around and between the elements; negative padding cuts off. A
// per-batch dim cannot be padded.

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/math.h"
#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/splats.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

using Dims = std::vector<int64_t>;

// size + low + high + (size - 1) * interior. Negative padding cuts off.
absl::StatusOr<Dim> PadDim(Dim dim, int64_t low, int64_t high, int64_t interior) {
  if (low == 0 && high == 0 && interior == 0) return dim;
  if (dim.per_batch) {
    return InvalidInput("found padding of the batch dim, expected none");
  }
  for (const int64_t amount : {low, high}) {
    if (amount < -kMaxElements || amount > kMaxElements) {
      return InvalidInput(
          fmt::format("found padding {}, expected {} to {}", amount, -kMaxElements, kMaxElements));
    }
  }
  if (interior < 0 || interior > kMaxElements) {
    return InvalidInput(
        fmt::format("found interior padding {}, expected 0 to "
                    "{}",
                    interior, kMaxElements));
  }
  const std::optional<int64_t> between = CheckedMul(dim.factor - 1, interior);
  if (!between || *between > kMaxElements) {
    return InvalidInput(
        fmt::format("found interior padding {} of size {}, expected at most {} elements", interior,
                    dim.factor, kMaxElements));
  }
  const int64_t size = dim.factor + low + high + *between;
  if (size < 1) {
    return InvalidInput(
        fmt::format("found padding {} and {} of size {}, expected some of it to be left", low, high,
                    dim.factor));
  }
  return Dim{size, false};
}

ShapeOr PadShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<PadAttrs>();
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, Shape(shape.dtype, {})));
  TW_RETURN_IF_ERROR(CheckPerDim("pad_low", attrs.low.size(), shape.rank()));
  TW_RETURN_IF_ERROR(CheckPerDim("pad_high", attrs.high.size(), shape.rank()));
  TW_RETURN_IF_ERROR(CheckPerDim("pad_interior", attrs.interior.size(), shape.rank()));
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    TW_ASSIGN_OR_RETURN(shape.dims[i],
                        PadDim(shape.dims[i], attrs.low[i], attrs.high[i], attrs.interior[i]));
  }
  return shape;
}

OpId SumOfAll(GraphBuilder& b, OpId x) {
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < b.shape(x).rank(); ++dim) dims.push_back(dim);
  return b.Reduce(Reducer::kSum, x, std::move(dims));
}

// dy with zeros where negative padding cut off.
OpId WithCutOff(const GradientCall& call) {
  const auto& attrs = call.op.as<PadAttrs>();
  Dims low = attrs.low;
  Dims high = attrs.high;
  bool cuts = false;
  for (std::vector<int64_t>* side : {&low, &high}) {
    for (int64_t& amount : *side) {
      amount = std::max<int64_t>(-amount, 0);
      cuts = cuts || amount > 0;
    }
  }
  if (!cuts) return call.dy;
  return call.builder.Pad(call.dy, 0, std::move(low), std::move(high),
                          Dims(call.op.shape.dims.size(), 0));
}

Gradients PadGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const auto& attrs = call.op.as<PadAttrs>();
  const Shape from = call.shape(0);
  std::vector<int64_t> starts = attrs.low;
  std::vector<int64_t> limits(from.dims.size(), 0);
  std::vector<int64_t> strides(from.dims.size(), 0);
  for (size_t i = 0; i < from.dims.size(); ++i) {
    starts[i] = std::max<int64_t>(starts[i], 0);
    strides[i] = attrs.interior[i] + 1;
    limits[i] = starts[i] + (from.dims[i].factor - 1) * strides[i] + 1;
  }
  const OpId dx =
      b.Slice(WithCutOff(call), std::move(starts), std::move(limits), std::move(strides));
  if (!call.wants(1)) return {dx, kNoOp};
  const OpId padding = b.Binary(OpKind::kSubtract, SumOfAll(b, call.dy), SumOfAll(b, dx));
  return {call.wants(0) ? dx : kNoOp, padding};
}

void LinkUnpadded(const LinkCall& call) {
  const auto& attrs = call.op.as<PadAttrs>();
  for (int64_t dim = 0; dim < call.rank(); ++dim) {
    const bool is_as_it_was =
        attrs.low[dim] == 0 && attrs.high[dim] == 0 && attrs.interior[dim] == 0;
    if (is_as_it_was) call.links.Link(0, dim, dim);
  }
}

constexpr auto kPadFields =
    FieldsOf<PadAttrs, &PadAttrs::low, &PadAttrs::high, &PadAttrs::interior>("pad_low", "pad_high",
                                                                             "pad_interior");

}  // namespace

constexpr OpTraits op_traits::kPad = {.operands = 2,
                                      .attributes = kPadFields,
                                      .shape = PadShape,
                                      .gradient = PadGradient,
                                      .links = LinkUnpadded,
                                      .splat = MovedSplat};

}  // namespace tilewise
