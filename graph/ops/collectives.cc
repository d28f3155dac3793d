// Collectives: what one core of a group holds afterwards.

#include <optional>

#include <fmt/format.h>

#include "base/math.h"
#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

absl::Status CheckGroup(const Op& op) {
  if (op.attrs->group_size >= 1 && op.attrs->group_size <= kMaxElements) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found group_size {}, expected 1 or more", op.attrs->group_size));
}

absl::Status CheckGroupDims(const Op& op, const Shape& x, size_t count) {
  TW_RETURN_IF_ERROR(CheckGroup(op));
  const std::vector<int64_t>& dims = op.attrs->dims;
  if (dims.size() != count) {
    return InvalidInput(fmt::format("found {} dims, expected {}", dims.size(), count));
  }
  for (const int64_t dim : dims) {
    TW_RETURN_IF_ERROR(CheckDims({dim}, x.rank(), "dims"));
  }
  return absl::OkStatus();
}

absl::Status Multiply(Shape& shape, int64_t dim, int64_t group_size) {
  Dim& size = shape.dims[dim];
  const std::optional<int64_t> product = CheckedMul(size.factor, group_size);
  if (!product) {
    return InvalidInput(
        fmt::format("found group_size {} of {}, expected less", group_size, FormatShape(shape)));
  }
  size.factor = *product;
  return absl::OkStatus();
}

absl::Status Divide(Shape& shape, int64_t dim, int64_t group_size) {
  Dim& size = shape.dims[dim];
  if (size.factor % group_size != 0) {
    return InvalidInput(fmt::format("dim {} of {} is shared by a group of {}, expected a divisor",
                                    dim, FormatShape(shape), group_size));
  }
  size.factor /= group_size;
  return absl::OkStatus();
}

ShapeOr AllReduceShape(const Op& op, Shapes operands) {
  if (op.attrs->group_size != 0) TW_RETURN_IF_ERROR(CheckGroup(op));
  return *operands[0];
}

ShapeOr AllGatherShape(const Op& op, Shapes operands) {
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckGroupDims(op, shape, 1));
  TW_RETURN_IF_ERROR(Multiply(shape, op.attrs->dims[0], op.attrs->group_size));
  return shape;
}

ShapeOr ReduceScatterShape(const Op& op, Shapes operands) {
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckGroupDims(op, shape, 1));
  TW_RETURN_IF_ERROR(Divide(shape, op.attrs->dims[0], op.attrs->group_size));
  return shape;
}

ShapeOr AllToAllShape(const Op& op, Shapes operands) {
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckGroupDims(op, shape, 2));
  TW_RETURN_IF_ERROR(Divide(shape, op.attrs->dims[0], op.attrs->group_size));
  TW_RETURN_IF_ERROR(Multiply(shape, op.attrs->dims[1], op.attrs->group_size));
  return shape;
}

ShapeOr CollectivePermuteShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckGroup(op));
  return *operands[0];
}

// Of the sum of all cores' losses by one core's operand.
Gradients AllReduceGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.AllReduce(call.dy, attrs.group_size, attrs.axis)};
}

Gradients AllGatherGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.ReduceScatter(call.dy, attrs.dims[0], attrs.group_size, attrs.axis)};
}

Gradients ReduceScatterGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.AllGather(call.dy, attrs.dims[0], attrs.group_size, attrs.axis)};
}

Gradients AllToAllGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {
      call.builder.AllToAll(call.dy, attrs.dims[1], attrs.dims[0], attrs.group_size, attrs.axis)};
}

Gradients CollectivePermuteGradient(const GradientCall& call) {
  const Attributes& attrs = call.op.attrs;
  return {call.builder.CollectivePermute(call.dy, -attrs.shift, attrs.group_size, attrs.axis)};
}

}  // namespace

constexpr OpTraits op_traits::kAllReduce = {
    .operands = 1, .shape = AllReduceShape, .gradient = AllReduceGradient, .links = LinkFirst};
// The operands of the group, joined along attrs.dims[0].
constexpr OpTraits op_traits::kAllGather = {
    .operands = 1, .shape = AllGatherShape, .gradient = AllGatherGradient, .links = LinkFirst};
// The sum over the group, of which each core keeps its part of attrs.dims[0].
constexpr OpTraits op_traits::kReduceScatter = {.operands = 1,
                                                .shape = ReduceScatterShape,
                                                .gradient = ReduceScatterGradient,
                                                .links = LinkFirst};
// attrs.dims[0] is split over the group, and the parts that are received are
// joined along attrs.dims[1].
constexpr OpTraits op_traits::kAllToAll = {
    .operands = 1, .shape = AllToAllShape, .gradient = AllToAllGradient, .links = LinkFirst};
// The operand of the neighbour attrs.shift places down the ring.
constexpr OpTraits op_traits::kCollectivePermute = {.operands = 1,
                                                    .shape = CollectivePermuteShape,
                                                    .gradient = CollectivePermuteGradient,
                                                    .links = LinkFirst};

}  // namespace tilewise
