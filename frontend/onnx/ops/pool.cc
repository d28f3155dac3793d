// Pools over windows, over all of space, and over regions.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/onnx/ops/convolution.h"
#include "frontend/onnx/ops/made.h"
#include "library/box_crops.h"
#include "library/reductions.h"
#include "library/windows.h"

namespace tilewise::onnx {
namespace {

WindowSpec PoolWindow(NodeContext& ctx, OpId x) {
  if (!ctx.ok()) return {};
  return WindowOf(ctx, ctx.Ints("kernel_shape"), SpatialSizes(ctx.builder(), x, true));
}

void MaxPool(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const WindowSpec window = PoolWindow(ctx, x);
  if (!ctx.ok()) return;
  const OpId y = b.ReduceWindow(Reducer::kMax, x, window.dims, true);
  ctx.Set(0, y);
  if (!ctx.Wants(1) || !ctx.ok()) return;
  // Indices of the maxima: a second pass over the windows, of indices.
  const OpId places = b.Iota(b.shape(x).WithType(DType::kS32), b.shape(x).rank() - 1);
  ctx.Set(1, b.Convert(b.ReduceWindow(Reducer::kMax, places, window.dims, true), DType::kS64));
}

void AveragePoolOp(NodeContext& ctx) {
  const OpId x = ctx.Input(0);
  const WindowSpec window = PoolWindow(ctx, x);
  if (!ctx.ok()) return;
  ctx.Set(0, AveragePool(ctx.builder(), x, window.dims, true, ctx.Int("count_include_pad", 0) != 0,
                         window.ceil_extra));
}

double PowerOf(NodeContext& ctx) {
  const AttributeView* p = ctx.Find("p");
  if (p == nullptr) return 2;
  const double power = p->i != 0 ? static_cast<double>(p->i) : p->f;
  return power > 0 ? power : 2;
}

void LpPoolOp(NodeContext& ctx) {
  const OpId x = ctx.Input(0);
  const WindowSpec window = PoolWindow(ctx, x);
  if (!ctx.ok()) return;
  ctx.Set(0, LpPool(ctx.builder(), x, window.dims, true, PowerOf(ctx)));
}

void GlobalLp(NodeContext& ctx) {
  ctx.Set(0, GlobalLpPool(ctx.builder(), ctx.Input(0), true, PowerOf(ctx)));
}

// Values put back at indices that are data.
void MaxUnpool(NodeContext& ctx) {
  Shape shape = ctx.ShapeOf(0);
  const std::vector<int64_t> sizes = ctx.Ints("kernel_shape");
  const std::vector<int64_t> strides = ctx.Ints("strides");
  const std::vector<int64_t> pads = ctx.Ints("pads");
  for (const auto* list : {&sizes, &strides, &pads}) {
    if (!InWindowRange(ctx, *list)) return;
  }
  const auto wanted = ctx.Has(2) ? ctx.KnownInts(2) : std::nullopt;
  const size_t spatial = sizes.size();
  if (shape.dims.size() != spatial + 2 || spatial == 0) {
    return ctx.Fail("found a window that does not fit the operand");
  }
  for (size_t i = 0; i < spatial; ++i) {
    Dim& dim = shape.dims[i + 2];
    const int64_t stride = i < strides.size() ? strides[i] : 1;
    const int64_t low = i < pads.size() ? pads[i] : 0;
    const int64_t high = spatial + i < pads.size() ? pads[spatial + i] : 0;
    if (!InWindowRange(ctx, {dim.factor})) return;
    dim.factor = (dim.factor - 1) * stride + sizes[i] - low - high;
    if (wanted && wanted->size() == shape.dims.size()) {
      dim.factor = (*wanted)[i + 2];
    }
  }
  ctx.SetOpaque(0, std::move(shape));
}

// Images, regions [k, (x1, y1, x2, y2)], image of each: the mean (or largest)
// of samples in each element of the result. As many samples as fit are taken
// when none are asked for: that is data.
void RoiAlign(NodeContext& ctx) {
  constexpr int64_t kSamples = 2;  // what detectors ask for
  const int64_t height = ctx.Int("output_height", 1);
  const int64_t width = ctx.Int("output_width", 1);
  const int64_t asked = ctx.Int("sampling_ratio", 0);
  const int64_t samples = asked > 0 ? asked : kSamples;
  if (!InWindowRange(ctx, {height, width, samples})) return;
  const Shape x = ctx.ShapeOf(0), regions = ctx.ShapeOf(1);
  if (x.rank() != 4 || regions.rank() != 2 || height < 1 || width < 1) {
    return ctx.Fail(fmt::format("found regions {} of {}", FormatShape(regions), FormatShape(x)));
  }
  BoxCrops crops;
  crops.rows = height * samples;
  crops.columns = width * samples;
  crops.corner = {1, 0, 3, 2};
  crops.scale_y = crops.scale_x = ctx.Float("spatial_scale", 1);
  GraphBuilder& b = ctx.builder();
  const OpId images = b.Transpose(ctx.Input(0), {0, 2, 3, 1});
  OpId y = CropBoxes(b, images, ctx.Input(1), ctx.Input(2), crops);
  const bool is_mean = ctx.Text("mode", "avg") != "max";
  const Dim count = {samples, false};
  y = b.Reshape(y, {regions.dims[0], {height, false}, count, {width, false}, count, x.dims[1]});
  y = ReduceOf(b, is_mean ? Reduction::kMean : Reduction::kMax, y, {2, 4}, false);
  ctx.Set(0, b.Transpose(y, {0, 3, 1, 2}));
  if (asked < 1) {
    ctx.Note(
        fmt::format("how many samples a region has is data: {} along each "
                    "side of an element are taken",
                    samples));
  }
}

constexpr OpEntry kPoolOps[] = {
    {kStandard, "MaxPool", MaxPool},
    {kStandard, "AveragePool", AveragePoolOp},
    {kStandard, "LpPool", LpPoolOp},
    {kStandard, "GlobalMaxPool", Row<GlobalMaxPool, Operand<0>, Always<true>>},
    {kStandard, "GlobalAveragePool", Row<GlobalAveragePool, Operand<0>, Always<true>>},
    {kStandard, "GlobalLpPool", GlobalLp},
    {kStandard, "MaxUnpool", MaxUnpool},
    {kStandard, "RoiAlign", RoiAlign},
};

}  // namespace

std::span<const OpEntry> PoolOps() { return kPoolOps; }

}  // namespace tilewise::onnx
