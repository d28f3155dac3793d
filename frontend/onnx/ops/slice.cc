// Ops that take parts of tensors, and put parts together.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/rearrange.h"

namespace tilewise::onnx {
namespace {

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

// A slice has one number of each for each sliced dim.
struct SliceSpec {
  std::vector<int64_t> starts, ends, axes, steps;
};

// Ends that are multiples of the batch are where the batch dim ends.
std::optional<std::vector<int64_t>> EndsOf(NodeContext& ctx, const Shape& shape,
                                           const std::vector<int64_t>& axes) {
  const MaybeKnown known = ctx.Known(2);
  if (!known) return std::nullopt;
  std::vector<int64_t> ends;
  for (size_t i = 0; i < known->elements.size(); ++i) {
    KnownNumber end = known->elements[i];
    if (end.per_batch && !(std::abs(end.value) < 1e15)) return std::nullopt;
    if (end.per_batch && i < axes.size()) {
      int64_t axis = axes[i];
      if (axis < 0) axis += shape.rank();
      const bool whole = axis >= 0 && axis < shape.rank() &&
                         shape.dims[axis] == Dim{static_cast<int64_t>(end.value), true};
      if (!whole) return std::nullopt;
      ends.push_back(kEnd);
      continue;
    }
    const auto number = KnownIntegers(KnownValue{DType::kS64, {1}, {end}});
    if (!number) return std::nullopt;
    ends.push_back((*number)[0]);
  }
  return ends;
}

std::optional<SliceSpec> SpecOf(NodeContext& ctx, const Shape& shape) {
  SliceSpec spec;
  const bool attributes = ctx.opset() < 10 && ctx.Find("starts") != nullptr;
  if (attributes) {
    spec.starts = ctx.Ints("starts");
    spec.ends = ctx.Ints("ends");
    spec.axes = ctx.Ints("axes");
  } else {
    const auto starts = ctx.KnownInts(1);
    if (!starts) return std::nullopt;
    spec.starts = *starts;
    if (ctx.Has(3)) {
      const auto axes = ctx.KnownInts(3);
      if (!axes) return std::nullopt;
      spec.axes = *axes;
    }
    if (ctx.Has(4)) {
      const auto steps = ctx.KnownInts(4);
      if (!steps) return std::nullopt;
      spec.steps = *steps;
    }
  }
  if (spec.axes.empty()) {
    for (size_t i = 0; i < spec.starts.size(); ++i) {
      spec.axes.push_back(static_cast<int64_t>(i));
    }
  }
  if (!attributes) {
    const auto ends = EndsOf(ctx, shape, spec.axes);
    if (!ends) return std::nullopt;
    spec.ends = *ends;
  }
  spec.steps.resize(spec.starts.size(), 1);
  const bool fits =
      spec.ends.size() == spec.starts.size() && spec.axes.size() == spec.starts.size();
  if (!fits) return std::nullopt;
  return spec;
}

// Whether the slice leaves nothing; then the dims that are left.
std::optional<Shape> EmptySlice(const Shape& shape, const SliceSpec& spec) {
  Shape left = shape;
  bool empty = false;
  for (size_t i = 0; i < spec.axes.size(); ++i) {
    int64_t axis = spec.axes[i];
    if (axis < 0) axis += shape.rank();
    if (axis < 0 || axis >= shape.rank() || spec.steps[i] == 0) continue;
    Dim& dim = left.dims[axis];
    if (dim.per_batch) continue;
    dim.factor = ResolveRange(dim.factor, spec.starts[i], spec.ends[i], spec.steps[i]).count;
    empty = empty || dim.factor == 0;
  }
  if (!empty) return std::nullopt;
  return left;
}

// x[i : i + n] of one dim.
bool SliceAtOffset(NodeContext& ctx) {
  const Shape shape = ctx.ShapeOf(0);
  const auto axes = ctx.Has(3) ? ctx.KnownInts(3) : std::vector<int64_t>{0};
  const auto steps = ctx.Has(4) ? ctx.KnownInts(4) : std::vector<int64_t>{1};
  const NodeContext::Offset start = ctx.OffsetOf(1);
  const NodeContext::Offset end = ctx.OffsetOf(2);
  if (!axes || axes->size() != 1 || !steps || *steps != std::vector<int64_t>{1} || !start.known ||
      !end.known || start.base != end.base || start.base == kNoOp || ctx.ShapeOf(1).rank() > 1) {
    return false;
  }
  GraphBuilder& b = ctx.builder();
  const int64_t axis = DimOf(b, (*axes)[0], shape.rank());
  const int64_t size = end.number - start.number;
  if (!ctx.ok()) return false;
  const Dim whole = shape.dims[axis];
  if (whole.per_batch || size < 1 || size > whole.factor) return false;
  const OpId place = b.Reshape(b.Convert(ctx.Input(1), DType::kS32), {});
  ctx.Set(0, b.DynamicSlice(ctx.Input(0), {place}, {axis}, {size}));
  return true;
}

// Bounds that are data: a part of the size that the file states, else all of
// the operand, which is the most that it can be.
void SliceAtData(NodeContext& ctx) {
  if (SliceAtOffset(ctx)) return;
  GraphBuilder& b = ctx.builder();
  const Shape shape = ctx.ShapeOf(0);
  const auto stated = ctx.StatedDims(0);
  std::vector<int64_t> dims;
  std::vector<int64_t> sizes;
  std::vector<OpId> starts;
  for (size_t i = 0; stated && i < stated->size(); ++i) {
    if (stated->size() != shape.dims.size()) break;
    const Dim& part = (*stated)[i];
    if (part == shape.dims[i] || part.per_batch) continue;
    dims.push_back(static_cast<int64_t>(i));
    sizes.push_back(part.factor);
    starts.push_back(b.Scalar(0, DType::kS32));
  }
  if (dims.empty()) {
    ctx.Note("the bounds of the slice are data: all of the operand is taken");
    return ctx.Forward(0, 0);
  }
  ctx.Set(0, b.DynamicSlice(ctx.Input(0), starts, dims, sizes));
}

void Slice(NodeContext& ctx) {
  const Shape shape = ctx.ShapeOf(0);
  const std::optional<SliceSpec> spec = SpecOf(ctx, shape);
  if (!spec) return SliceAtData(ctx);
  if (const std::optional<Shape> empty = EmptySlice(shape, *spec)) {
    return ctx.SetValue(0, Value::Empty(*empty));
  }
  std::vector<SliceRange> ranges;
  for (size_t i = 0; i < spec->axes.size(); ++i) {
    ranges.push_back({spec->axes[i], spec->starts[i], spec->ends[i], spec->steps[i]});
  }
  ctx.Set(0, SliceRanges(ctx.builder(), ctx.Input(0), ranges));
}

std::vector<int64_t> PartsOf(NodeContext& ctx, const Dim& whole) {
  const auto given = ctx.IntsOrInput("split", 1);
  if (given && !given->empty()) return *given;
  const int64_t count = ctx.Int("num_outputs", static_cast<int64_t>(ctx.output_count()));
  if (count < 1 || count > 1'000'000) {
    ctx.Fail(fmt::format("found {} parts", count));
    return {};
  }
  const int64_t size = (whole.factor + count - 1) / count;
  std::vector<int64_t> parts;
  parts.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    parts.push_back(std::max<int64_t>(std::min(size, whole.factor - i * size), 0));
  }
  return parts;
}

void Split(NodeContext& ctx) {
  const Shape shape = ctx.ShapeOf(0);
  const int64_t axis = AxisOf(ctx, "axis", 0, shape.rank());
  if (!ctx.ok() || shape.rank() == 0) return ctx.Fail("found no dim to split");
  std::vector<int64_t> parts = PartsOf(ctx, shape.dims[axis]);
  if (parts.size() > ctx.output_count()) parts.resize(ctx.output_count());
  const std::vector<OpId> results = SplitAlong(ctx.builder(), ctx.Input(0), axis, parts);
  for (size_t i = 0; i < results.size(); ++i) ctx.Set(i, results[i]);
}

void Concat(NodeContext& ctx) {
  // What has no elements adds none, unless all have none.
  std::vector<int64_t> present;
  for (int64_t i = 0; i < ctx.num_inputs(); ++i) {
    if (ctx.Has(i) && !ctx.input(i).is_empty()) present.push_back(i);
  }
  if (present.empty() && ctx.num_inputs() > 0) return ctx.Forward(0, 0);
  // Version 1 has a default.
  const int64_t axis = ctx.Int("axis", ctx.opset() < 4 ? 1 : 0);
  if (present.size() == 1) return ctx.Forward(0, present[0]);
  std::vector<OpId> parts;
  parts.reserve(present.size());
  for (const int64_t i : present) parts.push_back(ctx.Input(i));
  if (parts.empty()) return ctx.Fail("found nothing to concatenate");
  const int64_t rank = ctx.builder().shape(parts[0]).rank();
  ctx.Set(0, ctx.builder().Concatenate(parts, DimOf(ctx.builder(), axis, rank)));
}

void TileOp(NodeContext& ctx) {
  const auto repeats = ctx.KnownInts(1);
  if (!repeats) return ctx.Fail("found repeats that are not known");
  ctx.Set(0, Tile(ctx.builder(), ctx.Input(0), *repeats));
}

std::optional<PadMode> PadModeOf(std::string_view mode) {
  if (mode == "constant") return PadMode::kConstant;
  if (mode == "reflect") return PadMode::kReflect;
  if (mode == "edge") return PadMode::kEdge;
  if (mode == "wrap") return PadMode::kWrap;
  return std::nullopt;
}

void Pad(NodeContext& ctx) {
  const Shape shape = ctx.ShapeOf(0);
  const size_t rank = shape.rank();
  auto pads = ctx.IntsOrInput(ctx.Find("paddings") ? "paddings" : "pads", 1);
  if (!ctx.ok()) return;
  std::vector<int64_t> axes;
  if (ctx.Has(3)) axes = ctx.KnownInts(3).value_or(std::vector<int64_t>());
  if (axes.empty()) axes = AllDims(shape);
  if (!pads || pads->size() != 2 * axes.size()) {
    return ctx.Fail(fmt::format("found {} amounts of padding for {} dims", pads ? pads->size() : 0,
                                axes.size()));
  }
  if (!InWindowRange(ctx, *pads)) return;
  std::vector<int64_t> low(rank, 0);
  std::vector<int64_t> high(rank, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t dim = DimOf(ctx.builder(), axes[i], shape.rank());
    if (!ctx.ok()) return;
    low[dim] = (*pads)[i];
    high[dim] = (*pads)[axes.size() + i];
  }
  const std::optional<PadMode> mode = PadModeOf(ctx.Text("mode", "constant"));
  if (!mode) return ctx.Fail("found an unknown mode of padding");
  const double value = ctx.Find("value") ? ctx.Float("value", 0) : ctx.KnownNumber(2).value_or(0);
  const bool none = std::all_of(pads->begin(), pads->end(), [](int64_t p) { return p == 0; });
  if (none) return ctx.Forward(0, 0);
  ctx.Set(0, PadWith(ctx.builder(), ctx.Input(0), *mode, value, low, high));
}

void DepthToSpaceOp(NodeContext& ctx) {
  const bool crd = ctx.Text("mode", "DCR") == "CRD";
  ctx.Set(0, DepthToSpace(ctx.builder(), ctx.Input(0), ctx.Int("blocksize", 1),
                          /*channels_first=*/true,
                          crd ? BlockOrder::kDepthFirst : BlockOrder::kBlockFirst));
}

void Trilu(NodeContext& ctx) {
  const int64_t k = ctx.KnownInt(1).value_or(0);
  ctx.Set(0, Triangle(ctx.builder(), ctx.Input(0), ctx.Int("upper", 1) == 0,
                      std::clamp<int64_t>(k, -(int64_t{1} << 31), int64_t{1} << 31)));
}

// Reversing as many elements of each sequence as its length says costs as much
// as reversing all of them.
void ReverseSequence(NodeContext& ctx) {
  const OpId x = ctx.Input(0);
  ctx.Set(0, ctx.builder().Reverse(x, {ctx.Int("time_axis", 0)}));
}

// Crops or pads dims around their middle.
void CenterCropPad(NodeContext& ctx) {
  const auto sizes = ctx.KnownInts(1);
  if (!sizes) return ctx.Fail("found a shape that is not known");
  if (!InWindowRange(ctx, *sizes)) return;
  const Shape shape = ctx.ShapeOf(0);
  std::vector<int64_t> axes = ctx.Ints("axes");
  if (axes.empty()) axes = AllDims(shape);
  std::vector<int64_t> low(shape.dims.size(), 0);
  std::vector<int64_t> high(shape.dims.size(), 0);
  for (size_t i = 0; i < axes.size() && i < sizes->size(); ++i) {
    const size_t dim = DimOf(ctx.builder(), axes[i], shape.rank());
    if (!ctx.ok() || shape.dims[dim].per_batch) continue;
    const int64_t more = (*sizes)[i] - shape.dims[dim].factor;
    low[dim] = more / 2;
    high[dim] = more - more / 2;
  }
  ctx.Set(0, PadWith(ctx.builder(), ctx.Input(0), PadMode::kConstant, 0, low, high));
}

constexpr OpEntry kSliceOps[] = {
    {kStandard, "Slice", Slice},
    {kStandard, "Split", Split},
    {kStandard, "Concat", Concat},
    {kStandard, "Tile", TileOp},
    {kStandard, "Pad", Pad},
    {kStandard, "DepthToSpace", DepthToSpaceOp},
    {kStandard, "SpaceToDepth",
     Row<SpaceToDepth, Operand<0>, IntAttr<"blocksize", 1>, Always<true>>},
    {kStandard, "Trilu", Trilu},
    {kStandard, "ReverseSequence", ReverseSequence},
    {kStandard, "CenterCropPad", CenterCropPad},
};

}  // namespace

std::span<const OpEntry> SliceOps() { return kSliceOps; }

}  // namespace tilewise::onnx
