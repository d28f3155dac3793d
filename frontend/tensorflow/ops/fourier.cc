// Fourier transforms as matmuls.

#include "library/fourier.h"

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

absl::Status Transformed(OpContext& ctx, FourierKind kind, const std::vector<int64_t>& lengths,
                         const Shape& result) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  if (!TakesFourier(shape, lengths)) return OpaqueResult(ctx, 0, result);
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  return ctx.Result(Fourier(ctx.builder(), x, kind, lengths));
}

// Transforms the last kDims dims, as they are.
template <FourierKind kKind, int kDims>
absl::Status ComplexTransform(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, TensorShapeOf(ctx, 0));
  std::vector<int64_t> lengths;
  for (int64_t i = shape.rank() - kDims; i < shape.rank(); ++i) {
    if (i < 0) return InvalidInput(fmt::format("found fewer dims than {}", kDims));
    const Dim dim = shape.dims[i];
    lengths.push_back(dim.per_batch ? 0 : dim.factor);
  }
  return Transformed(ctx, kKind, lengths, shape);
}

// Transforms real numbers to half of the spectrum, or back from it to all of
// them. Operand 1 is the length of the transformed dims.
template <bool kInverse>
absl::Status Real(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(Shape shape, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const auto lengths, KnownList(ctx, 1, "fft_length"));
  if (lengths.empty() || lengths.size() > shape.dims.size()) {
    return InvalidInput("found more lengths than dims");
  }
  const size_t first = shape.dims.size() - lengths.size();
  for (size_t i = 0; i < lengths.size(); ++i) {
    shape.dims[first + i] = {lengths[i], false};
  }
  if (!kInverse) shape.dims.back().factor = lengths.back() / 2 + 1;
  shape.dtype = kInverse ? TypeOr(ctx, "Treal", DType::kF32) : TypeOr(ctx, "Tcomplex", DType::kC64);
  return Transformed(ctx, kInverse ? FourierKind::kRealInverse : FourierKind::kRealForward, lengths,
                     shape);
}

constexpr OpEntry kFourierOps[] = {
    {"BatchFFT", ComplexTransform<FourierKind::kForward, 1>},
    {"BatchFFT2D", ComplexTransform<FourierKind::kForward, 2>},
    {"BatchFFT3D", ComplexTransform<FourierKind::kForward, 3>},
    {"BatchIFFT", ComplexTransform<FourierKind::kInverse, 1>},
    {"BatchIFFT2D", ComplexTransform<FourierKind::kInverse, 2>},
    {"BatchIFFT3D", ComplexTransform<FourierKind::kInverse, 3>},
    {"FFT", ComplexTransform<FourierKind::kForward, 1>},
    {"FFT2D", ComplexTransform<FourierKind::kForward, 2>},
    {"FFT3D", ComplexTransform<FourierKind::kForward, 3>},
    {"IFFT", ComplexTransform<FourierKind::kInverse, 1>},
    {"IFFT2D", ComplexTransform<FourierKind::kInverse, 2>},
    {"IFFT3D", ComplexTransform<FourierKind::kInverse, 3>},
    {"IRFFT", Real<true>},
    {"IRFFT2D", Real<true>},
    {"IRFFT3D", Real<true>},
    {"RFFT", Real<false>},
    {"RFFT2D", Real<false>},
    {"RFFT3D", Real<false>},
};

}  // namespace

std::span<const OpEntry> FourierOps() { return kFourierOps; }

}  // namespace tilewise::tf
