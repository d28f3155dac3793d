// Resize and its older forms, and samples on a grid.

#include "library/resize.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/onnx/ops/made.h"
#include "library/broadcast.h"
#include "library/matmul.h"

namespace tilewise::onnx {
namespace {

ResizeMode ModeOf(std::string_view mode) {
  if (mode == "linear" || mode == "bilinear") return ResizeMode::kLinear;
  if (mode == "cubic" || mode == "bicubic") return ResizeMode::kCubic;
  return ResizeMode::kNearest;
}

// Dims of x that change: `factors` or `sizes`, one for each of `axes`.
void ResizeTo(NodeContext& ctx, const std::vector<int64_t>& axes,
              const std::vector<double>& factors, const std::optional<std::vector<Dim>>& sizes) {
  GraphBuilder& b = ctx.builder();
  const OpId x = ctx.Input(0);
  const Shape shape = b.shape(x);
  std::vector<int64_t> dims;
  std::vector<int64_t> wanted;
  for (size_t i = 0; i < axes.size() && ctx.ok(); ++i) {
    const int64_t axis = DimOf(b, axes[i], shape.rank());
    if (!ctx.ok()) return;
    const Dim from = shape.dims[axis];
    int64_t size = from.factor;
    if (sizes && i < sizes->size()) {
      if ((*sizes)[i] == from) continue;
      size = (*sizes)[i].factor;
    } else if (i < factors.size()) {
      const double exact = static_cast<double>(from.factor) * factors[i];
      if (!(exact >= 0 && exact < 1e12)) {
        return ctx.Fail(fmt::format("found scale {}", factors[i]));
      }
      size = static_cast<int64_t>(std::floor(exact + 1e-6));
    }
    if (size == from.factor) continue;
    dims.push_back(axis);
    wanted.push_back(size);
  }
  if (dims.empty()) return ctx.Forward(0, 0);
  ctx.Set(0, ResizeDims(b, x, dims, wanted, ModeOf(ctx.Text("mode", "nearest"))));
}

std::vector<double> Reals(const MaybeKnown& known) {
  std::vector<double> reals;
  if (!known) return reals;
  for (const KnownNumber& element : known->elements) {
    if (element.per_batch) return {};
    reals.push_back(element.value);
  }
  return reals;
}

// Version 10 has scales as operand 1, later ones as 2 (or sizes as 3).
void Resize(NodeContext& ctx) {
  const Shape shape = ctx.ShapeOf(0);
  std::vector<int64_t> axes = ctx.Ints("axes");
  if (axes.empty()) axes = AllDims(shape);
  const bool early = ctx.input_count() == 2;
  const std::vector<double> factors = Reals(ctx.Known(early ? 1 : 2));
  std::optional<std::vector<Dim>> sizes;
  if (const MaybeKnown known = ctx.Known(3)) sizes = KnownAsDims(*known);
  if (sizes && sizes->empty()) sizes.reset();
  if (factors.empty() && !sizes) {
    return ctx.Fail("found neither scales nor sizes that are known");
  }
  ResizeTo(ctx, axes, factors, sizes);
}

// Scales are an attribute before version 9, of height and width in version 1.
void Upsample(NodeContext& ctx) {
  const Shape shape = ctx.ShapeOf(0);
  const std::vector<int64_t> axes = AllDims(shape);
  std::vector<double> factors = ctx.Floats("scales");
  if (ctx.Find("height_scale") != nullptr) {
    factors = {1, 1, ctx.Float("height_scale", 1), ctx.Float("width_scale", 1)};
  }
  if (factors.empty()) factors = Reals(ctx.Known(1));
  if (factors.empty()) return ctx.Fail("found scales that are not known");
  ResizeTo(ctx, axes, factors, std::nullopt);
}

void GridSample(NodeContext& ctx) {
  ctx.Set(0,
          SampleAt(ctx.builder(), ctx.Input(0), ctx.Input(1), ModeOf(ctx.Text("mode", "linear"))));
}

// A grid of [h, w] positions, each times theta [n, 2, 3].
void AffineGrid(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const MaybeKnown known = ctx.Known(1);
  const auto dims = known ? KnownAsDims(*known) : std::nullopt;
  const OpId theta = ctx.Input(0);
  if (!ctx.ok() || !dims || dims->size() < 4 || dims->size() > 5 || b.shape(theta).rank() != 3) {
    return ctx.Fail("found a size of the grid that is not known");
  }
  const auto spatial = static_cast<int64_t>(dims->size()) - 2;
  int64_t points = 1;
  for (size_t i = 2; i < dims->size(); ++i) {
    const std::optional<int64_t> more = CheckedMul(points, (*dims)[i].factor);
    if (!more) return ctx.Fail("found a grid of more places than fit");
    points = *more;
  }
  const OpId grid =
      b.Variable(Shape::Of(b.shape(theta).dtype, {spatial + 1, points}), "grid", false);
  const OpId placed = NumpyMatMul(b, theta, grid);
  std::vector<Dim> result = {(*dims)[0]};
  result.insert(result.end(), dims->begin() + 2, dims->end());
  result.push_back({spatial, false});
  ctx.Set(0, b.Reshape(b.Transpose(placed, {0, 2, 1}), std::move(result)));
}

void ImageScaler(NodeContext& ctx) {
  GraphBuilder& b = ctx.builder();
  const OpId scaled = WithScalar(b, OpKind::kMultiply, ctx.Input(0), ctx.Float("scale", 1));
  ctx.Set(0, WithScalar(b, OpKind::kAdd, scaled, 0));
}

constexpr OpEntry kResizeOps[] = {
    {kStandard, "Resize", Resize},           {kStandard, "Upsample", Upsample},
    {kStandard, "GridSample", GridSample},   {kStandard, "AffineGrid", AffineGrid},
    {kStandard, "ImageScaler", ImageScaler}, {kMicrosoft, "GridSample", GridSample},
};

}  // namespace

std::span<const OpEntry> ResizeOps() { return kResizeOps; }

}  // namespace tilewise::onnx
