// Signal processing. Windows are constants; transforms have no op in the graph
// and are opaque, with the shapes that follow.

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "frontend/onnx/tensor_data.h"
#include "frontend/tensor/broadcast.h"

namespace tilewise::onnx {
namespace {

constexpr int64_t kMaxSize = int64_t{1} << 31;

DType OutputType(NodeContext& ctx) {
  return ElementOf(static_cast<int32_t>(ctx.Int("output_datatype", 1)))
      .value_or(DType::kF32);
}

// The numbers of a window or of filters do not matter to costs.
void Filters(NodeContext& ctx, const std::vector<int64_t>& sizes) {
  for (const int64_t size : sizes) {
    if (size < 1 || size > kMaxSize) {
      return ctx.Fail(
          fmt::format("found size {}, expected a positive one", size));
    }
  }
  ctx.Set(0, ctx.builder().Variable(Shape::Of(OutputType(ctx), sizes),
                                    "filters", /*trainable=*/false));
}

void Window(NodeContext& ctx) {
  const std::optional<int64_t> size = ctx.KnownInt(0);
  if (!size) return ctx.Fail("found a size that is not known");
  Filters(ctx, {*size});
}

// num_mel_bins, dft_length.
void MelWeightMatrix(NodeContext& ctx) {
  const std::optional<int64_t> bins = ctx.KnownInt(0);
  const std::optional<int64_t> length = ctx.KnownInt(1);
  if (!bins || !length) return ctx.Fail("found a size that is not known");
  Filters(ctx, {*length / 2 + 1, *bins});
}

void Dft(NodeContext& ctx) {
  Shape shape = ctx.ShapeOf(0);
  const bool operand = ctx.opset() >= 20;
  const int64_t given =
      operand ? ctx.KnownInt(2).value_or(-2) : ctx.Int("axis", 1);
  const int64_t axis = DimOf(ctx.builder(), given, shape.rank());
  if (!ctx.ok() || shape.rank() < 2) return ctx.Fail("found no signal");
  Dim& length = shape.dims[static_cast<size_t>(axis)];
  if (const std::optional<int64_t> wanted = ctx.KnownInt(1)) {
    if (*wanted >= 1 && *wanted <= kMaxSize) length = {*wanted, false};
  }
  if (ctx.Int("onesided", 0) != 0) {
    length = {length.factor / 2 + 1, length.per_batch};
  }
  shape.dims.back() = {2, false};
  ctx.SetOpaque(0, std::move(shape));
}

// signal [n, length, 1 or 2], step, window, frame length ->
// [n, frames, frequencies, 2].
void Stft(NodeContext& ctx) {
  const Shape signal = ctx.ShapeOf(0);
  const std::optional<int64_t> step = ctx.KnownInt(1);
  std::optional<int64_t> frame = ctx.KnownInt(3);
  if (!frame && ctx.Has(2) && ctx.ShapeOf(2).rank() == 1) {
    frame = ctx.ShapeOf(2).dims[0].factor;
  }
  if (signal.rank() < 2 || !step || !frame || *step < 1 || *frame < 1 ||
      signal.dims[1].per_batch || *frame > signal.dims[1].factor) {
    return ctx.Fail("found frames that do not fit the signal");
  }
  const int64_t frames = (signal.dims[1].factor - *frame) / *step + 1;
  const bool onesided = ctx.Int("onesided", 1) != 0;
  ctx.SetOpaque(0, {signal.dtype,
                    {signal.dims[0],
                     {frames, false},
                     {onesided ? *frame / 2 + 1 : *frame, false},
                     {2, false}}});
}

constexpr OpEntry kEntries[] = {
    {kStandard, "HannWindow", Window},
    {kStandard, "HammingWindow", Window},
    {kStandard, "BlackmanWindow", Window},
    {kStandard, "MelWeightMatrix", MelWeightMatrix},
    {kStandard, "DFT", Dft},
    {kStandard, "STFT", Stft},
};

}  // namespace

std::span<const OpEntry> SignalOps() { return kEntries; }

}  // namespace tilewise::onnx
