// Collectives: what one core of a group holds afterwards.

#include <optional>

#include <fmt/format.h>

#include "base/math.h"
#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

absl::Status CheckGroup(const CollectiveAttrs& attrs) {
  if (attrs.group_size >= 1 && attrs.group_size <= kMaxElements) return absl::OkStatus();
  return InvalidInput(fmt::format("found group_size {}, expected 1 or more", attrs.group_size));
}

absl::Status CheckGroupDims(const CollectiveAttrs& attrs, const Shape& x, size_t count) {
  TW_RETURN_IF_ERROR(CheckGroup(attrs));
  if (attrs.dims.size() != count) {
    return InvalidInput(fmt::format("found {} dims, expected {}", attrs.dims.size(), count));
  }
  for (const int64_t dim : attrs.dims) {
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
  const auto& attrs = op.as<CollectiveAttrs>();
  if (attrs.group_size != 0) TW_RETURN_IF_ERROR(CheckGroup(attrs));
  return *operands[0];
}

ShapeOr AllGatherShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<CollectiveAttrs>();
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckGroupDims(attrs, shape, 1));
  TW_RETURN_IF_ERROR(Multiply(shape, attrs.dims[0], attrs.group_size));
  return shape;
}

ShapeOr ReduceScatterShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<CollectiveAttrs>();
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckGroupDims(attrs, shape, 1));
  TW_RETURN_IF_ERROR(Divide(shape, attrs.dims[0], attrs.group_size));
  return shape;
}

ShapeOr AllToAllShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<CollectiveAttrs>();
  Shape shape = *operands[0];
  TW_RETURN_IF_ERROR(CheckGroupDims(attrs, shape, 2));
  TW_RETURN_IF_ERROR(Divide(shape, attrs.dims[0], attrs.group_size));
  TW_RETURN_IF_ERROR(Multiply(shape, attrs.dims[1], attrs.group_size));
  return shape;
}

ShapeOr CollectivePermuteShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckGroup(op.as<CollectiveAttrs>()));
  return *operands[0];
}

// This is the gradient of the sum of all cores' losses by one core's operand.
Gradients AllReduceGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<CollectiveAttrs>();
  return {call.builder.AllReduce(call.dy, attrs.group_size, attrs.axis)};
}

Gradients AllGatherGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<CollectiveAttrs>();
  return {call.builder.ReduceScatter(call.dy, attrs.dims[0], attrs.group_size, attrs.axis)};
}

Gradients ReduceScatterGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<CollectiveAttrs>();
  return {call.builder.AllGather(call.dy, attrs.dims[0], attrs.group_size, attrs.axis)};
}

Gradients AllToAllGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<CollectiveAttrs>();
  return {
      call.builder.AllToAll(call.dy, attrs.dims[1], attrs.dims[0], attrs.group_size, attrs.axis)};
}

Gradients CollectivePermuteGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<CollectiveAttrs>();
  return {call.builder.CollectivePermute(call.dy, -attrs.shift, attrs.group_size, attrs.axis)};
}

constexpr auto kCollectiveFields =
    FieldsOf<CollectiveAttrs, &CollectiveAttrs::dims, &CollectiveAttrs::group_size,
             &CollectiveAttrs::shift, &CollectiveAttrs::reducer, &CollectiveAttrs::axis>(
        "dims", "group_size", "shift", "reducer", "axis");

}  // namespace

// s32[]: the core's index on the mesh axis attrs.axis of attrs.group_size
// cores.
constexpr OpTraits op_traits::kPartitionId = {.attributes = kCollectiveFields, .shape = GivenShape};
constexpr OpTraits op_traits::kAllReduce = {.operands = 1,
                                            .attributes = kCollectiveFields,
                                            .shape = AllReduceShape,
                                            .gradient = AllReduceGradient,
                                            .links = LinkFirst};
// The operands of the group, joined along attrs.dims[0].
constexpr OpTraits op_traits::kAllGather = {.operands = 1,
                                            .attributes = kCollectiveFields,
                                            .shape = AllGatherShape,
                                            .gradient = AllGatherGradient,
                                            .links = LinkFirst};
// The sum over the group, of which each core keeps its part of attrs.dims[0].
constexpr OpTraits op_traits::kReduceScatter = {.operands = 1,
                                                .attributes = kCollectiveFields,
                                                .shape = ReduceScatterShape,
                                                .gradient = ReduceScatterGradient,
                                                .links = LinkFirst};
// attrs.dims[0] is split over the group, and the parts that are received are
// joined along attrs.dims[1].
constexpr OpTraits op_traits::kAllToAll = {.operands = 1,
                                           .attributes = kCollectiveFields,
                                           .shape = AllToAllShape,
                                           .gradient = AllToAllGradient,
                                           .links = LinkFirst};
// The operand of the neighbour attrs.shift cores down the ring.
constexpr OpTraits op_traits::kCollectivePermute = {.operands = 1,
                                                    .attributes = kCollectiveFields,
                                                    .shape = CollectivePermuteShape,
                                                    .gradient = CollectivePermuteGradient,
                                                    .links = LinkFirst};

}  // namespace tilewise
