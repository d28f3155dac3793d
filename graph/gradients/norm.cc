// Gradients of batch and layer normalisation: the fused formula
//   dx = factor (g - mean(g) - n mean(g n)),  n = (x - mean) / deviation,
// where the means run over the normalised dims. Statistics and sums are f32.

#include "graph/gradients/gradient.h"
#include "graph/moments.h"

namespace tilewise {
namespace {

OpId Product(GraphBuilder& b, OpId x, OpId y) {
  return b.Binary(OpKind::kMultiply, x, y);
}

OpId InF32(const GradientCall& call, size_t operand) {
  return call.builder.Convert(call.operand(operand), DType::kF32);
}

struct Sums {
  OpId g = kNoOp;    // sum(g)
  OpId g_n = kNoOp;  // sum(g n)
};

Sums SumsOf(GraphBuilder& b, OpId g, OpId n, const std::vector<int64_t>& dims) {
  return {b.Reduce(Reducer::kSum, g, dims),
          b.Reduce(Reducer::kSum, Product(b, g, n), dims)};
}

// g - sums.g / size - n sums.g_n / size.
OpId Projected(GraphBuilder& b, OpId g, OpId n, const Sums& sums,
               const std::vector<int64_t>& dims) {
  const double weight = 1 / GroupSize(b.shape(g), dims);
  const OpId mean = b.BinaryScalar(OpKind::kMultiply, sums.g, weight);
  const OpId mean_n = b.BinaryScalar(OpKind::kMultiply, sums.g_n, weight);
  const OpId centered =
      b.Binary(OpKind::kSubtract, g, SpreadOver(b, mean, g, dims));
  return b.Binary(OpKind::kSubtract, centered,
                  Product(b, n, SpreadOver(b, mean_n, g, dims)));
}

}  // namespace

Gradients BatchNormTrainingGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const DType dtype = call.op.shape.dtype;
  const auto dims = OtherDims(call.op.shape.rank(), call.op.attrs->dims);
  const OpId x = InF32(call, 0);
  const OpId dy = b.Convert(call.dy, DType::kF32);
  const Moments moments = MomentsOf(b, x, dims, call.op.attrs->epsilon);
  const OpId n = Normalized(b, x, moments, dims);
  const Sums sums = SumsOf(b, dy, n, dims);
  Gradients result(call.op.operands.size(), kNoOp);
  if (call.wants(0)) {
    const OpId factor =
        Product(b, InF32(call, 1), moments.reciprocal_deviation);
    const OpId dx = Product(b, Projected(b, dy, n, sums, dims),
                            SpreadOver(b, factor, x, dims));
    result[0] = b.Convert(dx, dtype);
  }
  if (call.wants(1)) result[1] = b.Convert(sums.g_n, dtype);
  if (call.wants(2)) result[2] = b.Convert(sums.g, dtype);
  return result;
}

Gradients BatchNormInferenceGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const DType dtype = call.op.shape.dtype;
  const auto dims = OtherDims(call.op.shape.rank(), call.op.attrs->dims);
  const OpId x = InF32(call, 0);
  const OpId dy = b.Convert(call.dy, DType::kF32);
  const OpId deviation = b.Unary(
      OpKind::kRsqrt,
      b.BinaryScalar(OpKind::kAdd, InF32(call, 4), call.op.attrs->epsilon));
  const Moments moments = {InF32(call, 3), deviation};
  const OpId factor = Product(b, InF32(call, 1), deviation);
  Gradients result(5, kNoOp);
  if (call.wants(0)) {
    result[0] =
        b.Convert(Product(b, dy, SpreadOver(b, factor, x, dims)), dtype);
  }
  const Sums sums = SumsOf(b, dy, Normalized(b, x, moments, dims), dims);
  if (call.wants(1)) result[1] = b.Convert(sums.g_n, dtype);
  if (call.wants(2)) result[2] = b.Convert(sums.g, dtype);
  if (call.wants(3)) {
    const OpId mean = Product(b, sums.g, b.Unary(OpKind::kNegate, factor));
    result[3] = b.Convert(mean, dtype);
  }
  if (call.wants(4)) {  // -factor sum(dy n) / (2 deviation)
    const OpId slope = Product(b, Product(b, sums.g_n, factor), deviation);
    result[4] =
        b.Convert(b.BinaryScalar(OpKind::kMultiply, slope, -0.5), dtype);
  }
  return result;
}

Gradients LayerNormGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const DType dtype = call.op.shape.dtype;
  const std::vector<int64_t>& dims = call.op.attrs->dims;
  const auto examples = OtherDims(call.op.shape.rank(), dims);
  const OpId x = InF32(call, 0);
  const OpId dy = b.Convert(call.dy, DType::kF32);
  const Moments moments = MomentsOf(b, x, dims, call.op.attrs->epsilon);
  const OpId n = Normalized(b, x, moments, dims);
  Gradients result(3, kNoOp);
  if (call.wants(0)) {
    const OpId scale = SpreadOver(b, InF32(call, 1), x, examples);
    const OpId g = Product(b, dy, scale);
    const OpId projected = Projected(b, g, n, SumsOf(b, g, n, dims), dims);
    const OpId factor = SpreadOver(b, moments.reciprocal_deviation, x, dims);
    result[0] = b.Convert(Product(b, projected, factor), dtype);
  }
  const Sums sums = SumsOf(b, dy, n, examples);
  if (call.wants(1)) result[1] = b.Convert(sums.g_n, dtype);
  if (call.wants(2)) result[2] = b.Convert(sums.g, dtype);
  return result;
}

}  // namespace tilewise
