// Mean and variance as ops.

#include "graph/moments.h"

#include <algorithm>

namespace tilewise {

std::vector<int64_t> OtherDims(int64_t rank, const std::vector<int64_t>& dims) {
  std::vector<int64_t> others;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (std::find(dims.begin(), dims.end(), dim) == dims.end()) {
      others.push_back(dim);
    }
  }
  return others;
}

double GroupSize(const Shape& shape, const std::vector<int64_t>& dims) {
  double size = 1;
  for (const int64_t dim : dims) size *= static_cast<double>(shape.size(dim));
  return size;
}

OpId SpreadOver(GraphBuilder& b, OpId array, OpId x, const std::vector<int64_t>& reduced) {
  const Shape shape = b.shape(x);
  return b.Broadcast(array, shape.dims, OtherDims(shape.rank(), reduced));
}

Moments MomentsOf(GraphBuilder& b, OpId x, const std::vector<int64_t>& dims, double epsilon) {
  const double weight = 1 / GroupSize(b.shape(x), dims);
  const OpId sum = b.Reduce(Reducer::kSum, x, dims);
  const OpId squares = b.Reduce(Reducer::kSum, b.Binary(OpKind::kMultiply, x, x), dims);
  Moments moments;
  moments.mean = b.BinaryScalar(OpKind::kMultiply, sum, weight);
  const OpId mean_square = b.BinaryScalar(OpKind::kMultiply, squares, weight);
  moments.variance = b.Binary(OpKind::kSubtract, mean_square,
                              b.Binary(OpKind::kMultiply, moments.mean, moments.mean));
  moments.reciprocal_deviation =
      b.Unary(OpKind::kRsqrt, b.BinaryScalar(OpKind::kAdd, moments.variance, epsilon));
  return moments;
}

MovingMoments TrackMoments(GraphBuilder& b, const Op& norm) {
  const auto dims = OtherDims(norm.shape.rank(), norm.as<BatchNormAttrs>().dims);
  const OpId x = b.Convert(norm.operands[0], DType::kF32);
  const Moments moments = MomentsOf(b, x, dims, norm.as<BatchNormAttrs>().epsilon);
  const double momentum = norm.as<BatchNormAttrs>().momentum;
  const auto moved = [&](OpId before, OpId now) {
    const DType dtype = b.shape(before).dtype;
    const OpId old = b.BinaryScalar(OpKind::kMultiply, b.Convert(before, DType::kF32), momentum);
    const OpId added = b.BinaryScalar(OpKind::kMultiply, now, 1 - momentum);
    return b.Convert(b.Binary(OpKind::kAdd, old, added), dtype);
  };
  return {moved(norm.operands[3], moments.mean), moved(norm.operands[4], moments.variance)};
}

OpId Normalized(GraphBuilder& b, OpId x, const Moments& moments, const std::vector<int64_t>& dims) {
  const OpId centered = b.Binary(OpKind::kSubtract, x, SpreadOver(b, moments.mean, x, dims));
  return b.Binary(OpKind::kMultiply, centered,
                  SpreadOver(b, moments.reciprocal_deviation, x, dims));
}

}  // namespace tilewise
