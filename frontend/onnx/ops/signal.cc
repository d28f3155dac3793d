// Signal processing. Windows are constants; transforms are matmuls with
// constants.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/onnx/ops/made.h"
#include "frontend/onnx/tensor_data.h"
#include "library/broadcast.h"
#include "library/fourier.h"
#include "library/gather.h"
#include "library/rearrange.h"

namespace tilewise::onnx {
namespace {

constexpr int64_t kMaxSize = int64_t{1} << 31;

DType OutputType(NodeContext& ctx) {
  return ElementOf(static_cast<int32_t>(ctx.Int("output_datatype", 1))).value_or(DType::kF32);
}

// The numbers of a window or of filters do not matter to costs.
void Filters(NodeContext& ctx, const std::vector<int64_t>& sizes) {
  for (const int64_t size : sizes) {
    if (size < 1 || size > kMaxSize) {
      return ctx.Fail(fmt::format("found size {}, expected a positive one", size));
    }
  }
  ctx.Set(
      0, ctx.builder().Variable(Shape::Of(OutputType(ctx), sizes), "filters", /*trainable=*/false));
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

// Parts of complex numbers are the last dim, of 2, or of 1 for real ones.
ComplexParts PartsOf(GraphBuilder& b, OpId x) {
  const int64_t last = b.shape(x).rank() - 1;
  ComplexParts parts;
  parts.real = ElementAlong(b, x, 0, last);
  if (b.ok() && b.shape(x).size(last) == 2) {
    parts.imaginary = ElementAlong(b, x, 1, last);
  }
  return parts;
}

FourierKind KindOf(NodeContext& ctx) {
  const bool is_half = ctx.Int("onesided", 0) != 0;
  const bool inverse = ctx.Int("inverse", 0) != 0;
  if (inverse) {
    return is_half ? FourierKind::kRealInverse : FourierKind::kInverse;
  }
  return is_half ? FourierKind::kRealForward : FourierKind::kForward;
}

void Dft(NodeContext& ctx) {
  Shape shape = ctx.ShapeOf(0);
  const bool operand = ctx.opset() >= 20;
  const int64_t given = operand ? ctx.KnownInt(2).value_or(-2) : ctx.Int("axis", 1);
  const int64_t axis = DimOf(ctx.builder(), given, shape.rank());
  if (!ctx.ok() || shape.rank() < 2) return ctx.Fail("found no signal");
  const FourierKind kind = KindOf(ctx);
  const bool to_real = kind == FourierKind::kRealInverse;
  Dim& length = shape.dims[axis];
  // Half of the results of real numbers were kept.
  if (to_real) length.factor = std::max<int64_t>(2 * (length.factor - 1), 1);
  if (const std::optional<int64_t> wanted = ctx.KnownInt(1)) {
    if (*wanted >= 1 && *wanted <= kMaxSize) length = {*wanted, false};
  }
  const int64_t points = length.factor;
  if (kind == FourierKind::kRealForward) length.factor = points / 2 + 1;
  const bool takes = TakesFourier({shape.dtype, {length}}, {{points}}) &&
                     axis != shape.rank() - 1 && !shape.dims.back().per_batch &&
                     shape.dims.back().factor <= 2 && IsFloat(shape.dtype);
  shape.dims.back() = {to_real ? 1 : 2, false};
  if (!takes) return ctx.SetOpaque(0, std::move(shape));
  GraphBuilder& b = ctx.builder();
  ComplexParts made = FourierAlong(b, PartsOf(b, ctx.Input(0)), kind, axis, points);
  if (to_real) return ctx.Set(0, Unsqueezed(b, made.real, {shape.rank() - 1}));
  if (made.imaginary == kNoOp) made.imaginary = FilledLike(b, made.real, 0);
  const std::array<OpId, 2> both = {made.real, made.imaginary};
  ctx.Set(0, Stack(b, both, shape.rank() - 1));
}

// The sizes of a transform of short stretches of a signal.
struct Stretches {
  int64_t step = 1;
  int64_t length = 1;
  int64_t count = 1;
  int64_t kept = 1;  // frequencies
};

// One convolution: its kernel has the window times cosine and sine of each
// frequency.
OpId TransformedStretches(GraphBuilder& b, OpId signal, const Stretches& s) {
  const Shape shape = b.shape(signal);
  const int64_t parts = shape.rank() == 3 ? shape.dims[2].factor : 1;
  if (shape.rank() == 2) signal = Unsqueezed(b, signal, {2});
  const OpId kernel = b.Variable(Shape::Of(shape.dtype, {s.length, parts, s.kept * 2}),
                                 "windowed_frequencies", /*trainable=*/false);
  WindowDim window;
  window.size = s.length;
  window.stride = s.step;
  const OpId made = b.Convolution(signal, kernel, {window}, 1, false,
                                  /*precision_passes=*/6);
  return b.Reshape(made, {shape.dims[0], {s.count, false}, {s.kept, false}, {2, false}});
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
  if (signal.rank() < 2 || signal.rank() > 3 || !step || !frame || *step < 1 || *frame < 1 ||
      signal.dims[1].per_batch || *frame > signal.dims[1].factor) {
    return ctx.Fail("found frames that do not fit the signal");
  }
  const bool onesided = ctx.Int("onesided", 1) != 0;
  Stretches stretches;
  stretches.step = *step;
  stretches.length = *frame;
  stretches.count = (signal.dims[1].factor - *frame) / *step + 1;
  stretches.kept = onesided ? *frame / 2 + 1 : *frame;
  ctx.Set(0, TransformedStretches(ctx.builder(), ctx.Input(0), stretches));
}

constexpr OpEntry kSignalOps[] = {
    {kStandard, "HannWindow", Window},
    {kStandard, "HammingWindow", Window},
    {kStandard, "BlackmanWindow", Window},
    {kStandard, "MelWeightMatrix", MelWeightMatrix},
    {kStandard, "DFT", Dft},
    {kStandard, "STFT", Stft},
};

}  // namespace

std::span<const OpEntry> SignalOps() { return kSignalOps; }

}  // namespace tilewise::onnx
