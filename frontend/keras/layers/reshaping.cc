// Layers that only arrange elements anew.

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/keras/layers/families.h"

namespace tilewise {
namespace {

// Elements of one example; -1 when there are too many to count.
int64_t ExampleElements(const Shape& shape) {
  int64_t product = 1;
  for (size_t i = 1; i < shape.dims.size(); ++i) {
    const auto next = CheckedMul(product, shape.dims[i].factor);
    if (!next) return -1;
    product = *next;
  }
  return product;
}

OpId BuildFlatten(LayerContext& ctx) {
  OpId x = ctx.input();
  // channels_first data is flattened in channels_last order.
  if (ctx.config.ChannelsFirst() && ctx.rank(x) > 2) {
    std::vector<int64_t> order = {0};
    for (int64_t d = 2; d < ctx.rank(x); ++d) order.push_back(d);
    order.push_back(1);
    x = ctx.builder.Transpose(x, order);
  }
  const Shape shape = ctx.shape(x);
  return ctx.builder.Reshape(x, {shape.dims[0], {ExampleElements(shape), false}});
}

OpId BuildReshape(LayerContext& ctx) {
  const Shape shape = ctx.shape(ctx.input());
  const int64_t elements = ExampleElements(shape);
  std::vector<int64_t> target = ctx.config.Integers("target_shape");
  int64_t product = 1;
  int unknown = 0;
  for (const int64_t size : target) {
    if (size == -1) ++unknown;
    const auto next = CheckedMul(product, size == -1 ? 1 : size);
    product = size < -1 || size == 0 || !next ? -1 : *next;
    if (product < 1) break;
  }
  const bool fits = product >= 1 && unknown <= 1 && elements % product == 0;
  if (!fits || (unknown == 0 && product != elements)) {
    ctx.builder.Fail(fmt::format("target_shape is [{}], expected {} elements, those of {}",
                                 fmt::join(target, ","), elements, FormatShape(shape)));
    return kNoOp;
  }
  std::vector<Dim> dims = {shape.dims[0]};
  for (const int64_t size : target) {
    dims.push_back({size == -1 ? elements / product : size, false});
  }
  return ctx.builder.Reshape(ctx.input(), dims);
}

OpId BuildPermute(LayerContext& ctx) {
  std::vector<int64_t> order = ctx.config.Integers("dims");
  if (!ctx.ExpectRank(ctx.input(), static_cast<int64_t>(order.size()) + 1)) {
    return kNoOp;
  }
  order.insert(order.begin(), 0);
  return ctx.builder.Transpose(ctx.input(), order);
}

OpId BuildRepeatVector(LayerContext& ctx) {
  if (!ctx.ExpectRank(ctx.input(), 2)) return kNoOp;
  const Shape shape = ctx.shape(ctx.input());
  return ctx.builder.Broadcast(
      ctx.input(), {shape.dims[0], {ctx.config.Positive("n"), false}, shape.dims[1]}, {0, 2});
}

// A mask costs one select in the layers that use it, which is left out.
OpId BuildMasking(LayerContext& ctx) { return ctx.input(); }

constexpr LayerEntry kReshapingLayers[] = {
    {"Flatten", BuildFlatten, true}, {"Reshape", BuildReshape, true},
    {"Permute", BuildPermute, true}, {"RepeatVector", BuildRepeatVector, true},
    {"Masking", BuildMasking},
};

}  // namespace

std::span<const LayerEntry> ReshapingLayers() { return kReshapingLayers; }

}  // namespace tilewise
