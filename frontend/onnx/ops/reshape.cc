// Ops that change the dims of a tensor and keep its elements, or stretch them.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"

namespace tilewise::onnx {
namespace {

// `wanted` with 0 replaced by the operand's dim and -1 by what is left.
std::optional<std::vector<Dim>> Target(const Shape& from, const KnownValue& wanted,
                                       bool zero_is_zero) {
  std::vector<Dim> dims;
  std::optional<size_t> open;
  int64_t rest = 1;
  int64_t per_batch = 0;
  for (const Dim& dim : from.dims) {
    rest *= dim.factor;
    per_batch += dim.per_batch ? 1 : 0;
  }
  for (size_t i = 0; i < wanted.elements.size(); ++i) {
    const KnownNumber& element = wanted.elements[i];
    if (element.value == -1 && !element.per_batch) {
      if (open) return std::nullopt;
      open = i;
      dims.push_back({1, false});
      continue;
    }
    if (!(std::abs(element.value) < 1e15)) return std::nullopt;
    Dim dim = {static_cast<int64_t>(element.value), element.per_batch};
    if (element.value == 0 && !zero_is_zero) {
      if (i >= from.dims.size()) return std::nullopt;
      dim = from.dims[i];
    }
    if (dim.factor < 1 || rest % dim.factor != 0) {
      if (!open && dim.factor >= 1) {
        dims.push_back(dim);
        continue;  // the builder says what does not fit
      }
      return std::nullopt;
    }
    rest /= dim.factor;
    per_batch -= dim.per_batch ? 1 : 0;
    dims.push_back(dim);
  }
  if (open) dims[*open] = {rest, per_batch == 1};
  return dims;
}

void ReshapeTo(NodeContext& ctx, const std::vector<Dim>& dims) {
  if (ctx.IsTensor(0) && ctx.ShapeOf(0).dims == dims) return ctx.Forward(0, 0);
  ctx.Set(0, ctx.builder().Reshape(ctx.Input(0), dims));
}

void Reshape(NodeContext& ctx) {
  MaybeKnown wanted = ctx.Known(1);
  if (!ctx.Has(1) && ctx.Find("shape") != nullptr) {
    wanted = KnownVector(ctx.Ints("shape"));
  }
  if (!wanted) {
    const auto stated = ctx.StatedDims(0);
    if (stated) return ReshapeTo(ctx, *stated);
    return ctx.Fail("found a shape that is not known");
  }
  const bool zero_is_zero = ctx.Int("allowzero", 0) != 0;
  if (ctx.input(0).is_empty()) {
    if (const KnownValue* x = ctx.Folded(0)) {
      const auto sizes = KnownIntegers(*wanted);
      if (sizes && ctx.SetIfKnown(0, KnownReshape(*x, *sizes))) return;
    }
    const auto dims = KnownAsDims(*wanted);
    if (dims) return ctx.SetValue(0, Value::Empty({ctx.ShapeOf(0).dtype, *dims}));
  }
  const auto dims = Target(ctx.ShapeOf(0), *wanted, zero_is_zero);
  if (!dims) {
    return ctx.Fail(
        fmt::format("{} does not take the shape that is asked for", FormatShape(ctx.ShapeOf(0))));
  }
  ReshapeTo(ctx, *dims);
}

Dim Product(const std::vector<Dim>& dims, size_t from, size_t to) {
  Dim product = {1, false};
  for (size_t i = from; i < to; ++i) {
    product.factor *= dims[i].factor;
    product.per_batch = product.per_batch || dims[i].per_batch;
  }
  return product;
}

void Flatten(NodeContext& ctx) {
  const Shape shape = ctx.ShapeOf(0);
  int64_t axis = ctx.Int("axis", 1);
  if (axis < 0) axis += shape.rank();
  if (axis < 0 || axis > shape.rank()) {
    return ctx.Fail(fmt::format("found axis {} of {}", axis, FormatShape(shape)));
  }
  const size_t at = axis;
  ReshapeTo(ctx, {Product(shape.dims, 0, at), Product(shape.dims, at, shape.dims.size())});
}

void Squeeze(NodeContext& ctx) {
  auto axes = ctx.IntsOrInput("axes", 1);
  if (!ctx.ok()) return;
  const Shape shape = ctx.ShapeOf(0);
  if (!axes || axes->empty()) {
    axes.emplace();
    for (int64_t dim = 0; dim < shape.rank(); ++dim) {
      if (shape.dims[dim] == Dim{1, false}) {
        axes->push_back(dim);
      }
    }
  }
  ctx.Set(0, Squeezed(ctx.builder(), ctx.AnyInput(0), *axes));
}

void Unsqueeze(NodeContext& ctx) {
  const auto axes = ctx.IntsOrInput("axes", 1);
  if (!ctx.ok()) return;
  if (!axes) return ctx.Fail("found no axes to add");
  ctx.Set(0, Unsqueezed(ctx.builder(), ctx.AnyInput(0), *axes));
}

void Transpose(NodeContext& ctx) {
  std::vector<int64_t> order = ctx.Ints("perm");
  if (order.empty()) {
    order.resize(ctx.ShapeOf(0).dims.size());
    std::iota(order.rbegin(), order.rend(), 0);
  }
  for (int64_t& dim : order) {
    if (dim < 0) dim += static_cast<int64_t>(order.size());
  }
  std::vector<int64_t> same(order.size());
  std::iota(same.begin(), same.end(), 0);
  if (order == same) return ctx.Forward(0, 0);
  ctx.Set(0, ctx.WeightInput(0, {-1, order}));
}

void Expand(NodeContext& ctx) {
  const MaybeKnown wanted = ctx.Known(1);
  const auto dims = wanted ? KnownAsDims(*wanted) : ctx.StatedDims(0);
  if (!dims) return ctx.Fail("found a shape that is not known");
  const Shape shapes[] = {ctx.ShapeOf(0), {DType::kF32, *dims}};
  const auto common = CommonDims(shapes);
  if (!common) {
    return ctx.Fail(
        fmt::format("{} does not stretch to {}", FormatShape(shapes[0]), FormatShape(shapes[1])));
  }
  const Shape result(shapes[0].dtype, *common);
  if (HasNoElements(result)) return ctx.SetValue(0, Value::Empty(result));
  ctx.Set(0, ctx.builder().BroadcastTo(ctx.Input(0), *common));
}

constexpr OpEntry kReshapeOps[] = {
    {kStandard, "Reshape", Reshape},     {kStandard, "Flatten", Flatten},
    {kStandard, "Squeeze", Squeeze},     {kStandard, "Unsqueeze", Unsqueeze},
    {kStandard, "Transpose", Transpose}, {kStandard, "Expand", Expand},
};

}  // namespace

std::span<const OpEntry> ReshapeOps() { return kReshapeOps; }

}  // namespace tilewise::onnx
