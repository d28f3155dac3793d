// Indexed access. Indices that are known become slices.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/gather.h"

namespace tilewise::onnx {
namespace {

// A known index of a static dim, or known consecutive ones: a slice.
bool GatherKnown(NodeContext& ctx, int64_t axis) {
  const KnownValue* indices = ctx.Folded(1);
  if (indices == nullptr || indices->rank() > 1 || indices->size() == 0) {
    return false;
  }
  const auto places = KnownIntegers(*indices);
  const Shape shape = ctx.ShapeOf(0);
  const Dim dim = shape.dims[axis];
  if (!places || dim.per_batch) return false;
  int64_t first = places->front();
  if (first < 0) first += dim.factor;
  for (size_t i = 1; i < places->size(); ++i) {
    int64_t place = (*places)[i];
    if (place < 0) place += dim.factor;
    if (place != first + static_cast<int64_t>(i)) return false;
  }
  const auto count = static_cast<int64_t>(places->size());
  if (first < 0 || count > dim.factor - first) return false;
  GraphBuilder& b = ctx.builder();
  if (indices->rank() == 0) {
    ctx.Set(0, ElementAlong(b, ctx.Input(0), first, axis));
    return true;
  }
  if (first == 0 && count == dim.factor) {
    ctx.Forward(0, 0);
    return true;
  }
  ctx.Set(0, b.SliceDim(ctx.Input(0), axis, first, first + count));
  return true;
}

void Gather(NodeContext& ctx) {
  const Shape shape = ctx.ShapeOf(0);
  if (shape.rank() == 0) return ctx.Fail("found a scalar to gather from");
  const int64_t axis = AxisOf(ctx, "axis", 0, shape.rank());
  if (!ctx.ok()) return;
  if (GatherKnown(ctx, axis)) return;
  ctx.Set(0, TakeAlong(ctx.builder(), ctx.Input(0), ctx.AnyInput(1), axis));
}

ScatterRule RuleOf(NodeContext& ctx) {
  const std::string_view reduction = ctx.Text("reduction", "none");
  if (reduction == "add") return {Reducer::kSum, false};
  if (reduction == "mul") return {Reducer::kProduct, false};
  if (reduction == "max") return {Reducer::kMax, false};
  if (reduction == "min") return {Reducer::kMin, false};
  return {};
}

void ScatterNdOp(NodeContext& ctx) {
  ctx.Set(0, ScatterNd(ctx.builder(), ctx.Input(0), ctx.Input(1), ctx.Input(2), RuleOf(ctx)));
}

void ScatterElementsOp(NodeContext& ctx) {
  ctx.Set(0, ScatterElements(ctx.builder(), ctx.Input(0), ctx.Input(1), ctx.Input(2),
                             ctx.Int("axis", 0), RuleOf(ctx)));
}

// cache with rows of dim 0 replaced: one slot per example and step.
void TensorScatter(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId cache = ctx.Input(0);
  const OpId update = ctx.Input(1);
  const int64_t rank = b.shape(cache).rank();
  const int64_t axis = AxisOf(ctx, "axis", -2, rank);
  if (!ctx.ok()) return;
  const OpId start = b.Scalar(0, DType::kS32);
  ctx.Set(0, b.DynamicUpdateSlice(cache, update, {start}, {axis}));
}

void OneHotOp(NodeContext& ctx) {
  const std::optional<int64_t> depth = ctx.KnownInt(1);
  if (!depth || *depth < 1) return ctx.Fail("found a depth that is not known");
  GraphBuilder& b = ctx.builder();
  const DType dtype = ctx.ShapeOf(2).dtype;
  const MaybeKnown values = ctx.Known(2);
  OpId off = kNoOp;
  OpId on = kNoOp;
  if (values && values->size() == 2) {
    off = b.Scalar(values->elements[0].value, dtype);
    on = b.Scalar(values->elements[1].value, dtype);
  } else {
    const OpId both = ctx.Input(2);
    off = ElementAlong(b, both, 0, 0);
    on = ElementAlong(b, both, 1, 0);
  }
  OpId indices = ctx.Input(0);
  if (IsFloat(b.shape(indices).dtype)) indices = b.Convert(indices, DType::kS32);
  ctx.Set(0, OneHot(b, indices, *depth, ctx.Int("axis", -1), on, off));
}

constexpr OpEntry kIndexOps[] = {
    {kStandard, "Gather", Gather},
    {kStandard, "GatherElements", Row<TakeElements, Operand<0>, Operand<1>, IntAttr<"axis", 0>>},
    {kStandard, "GatherND", Row<GatherNd, Operand<0>, Operand<1>, IntAttr<"batch_dims", 0>>},
    {kStandard, "Scatter", ScatterElementsOp},
    {kStandard, "ScatterElements", ScatterElementsOp},
    {kStandard, "ScatterND", ScatterNdOp},
    {kStandard, "TensorScatter", TensorScatter},
    {kStandard, "OneHot", OneHotOp},
};

}  // namespace

std::span<const OpEntry> IndexOps() { return kIndexOps; }

}  // namespace tilewise::onnx
