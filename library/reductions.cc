// Reduce, with what comes before and after it.

#include "library/reductions.h"

#include <numeric>

#include "library/broadcast.h"
#include "library/elementary.h"

namespace tilewise {
namespace {

OpId Kept(GraphBuilder& builder, OpId reduced, const Shape& from,
          const std::vector<int64_t>& dims) {
  std::vector<Dim> kept = from.dims;
  for (const int64_t dim : dims) kept[dim] = {1, false};
  return builder.Reshape(reduced, std::move(kept));
}

OpId Plain(GraphBuilder& builder, Reducer reducer, OpId x, const std::vector<int64_t>& dims,
           bool keep_dims) {
  const Shape from = builder.shape(x);
  const OpId reduced = builder.Reduce(reducer, x, dims);
  if (!keep_dims || !builder.ok()) return reduced;
  return Kept(builder, reduced, from, dims);
}

OpId Averaged(GraphBuilder& builder, OpId sum, double count) {
  if (!IsFloat(builder.shape(sum).dtype)) {
    return WithScalar(builder, OpKind::kDivide, sum, count);
  }
  return WithScalar(builder, OpKind::kMultiply, sum, 1 / count);
}

OpId LogSumExp(GraphBuilder& builder, OpId x, const std::vector<int64_t>& dims, bool keep_dims) {
  const Shape from = builder.shape(x);
  const OpId largest = Plain(builder, Reducer::kMax, x, dims, true);
  const OpId shifted =
      builder.Binary(OpKind::kSubtract, x, builder.BroadcastTo(largest, from.dims));
  const OpId sum =
      Plain(builder, Reducer::kSum, builder.Unary(OpKind::kExp, shifted), dims, keep_dims);
  const OpId back = keep_dims ? largest : builder.Reshape(largest, builder.shape(sum).dims);
  return builder.Binary(OpKind::kAdd, builder.Unary(OpKind::kLog, sum), back);
}

OpId Variance(GraphBuilder& builder, OpId x, const std::vector<int64_t>& dims, bool keep_dims) {
  const OpId kept = MeanAndVarianceOf(builder, x, dims).variance;
  return keep_dims ? kept : Squeezed(builder, kept, dims);
}

}  // namespace

std::vector<int64_t> AllDims(const GraphBuilder& builder, OpId x) {
  std::vector<int64_t> dims(builder.shape(x).dims.size());
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

double ElementsIn(const Shape& shape, const std::vector<int64_t>& dims) {
  double count = 1;
  for (const int64_t dim : dims) {
    count *= static_cast<double>(shape.dims[dim].factor);
  }
  return count;
}

OpId ReduceOf(GraphBuilder& builder, Reduction reduction, OpId x, const std::vector<int64_t>& given,
              bool keep_dims) {
  const std::vector<int64_t> dims = DimsOf(builder, given, builder.shape(x).rank());
  if (!builder.ok()) return kNoOp;
  switch (reduction) {
    case Reduction::kSum:
      return Plain(builder, Reducer::kSum, x, dims, keep_dims);
    case Reduction::kMean:
      return Averaged(builder, Plain(builder, Reducer::kSum, x, dims, keep_dims),
                      ElementsIn(builder.shape(x), dims));
    case Reduction::kMax:
      return Plain(builder, Reducer::kMax, x, dims, keep_dims);
    case Reduction::kMin:
      return Plain(builder, Reducer::kMin, x, dims, keep_dims);
    case Reduction::kProduct:
      return Plain(builder, Reducer::kProduct, x, dims, keep_dims);
    case Reduction::kL1:
      return Plain(builder, Reducer::kSum, builder.Unary(OpKind::kAbs, x), dims, keep_dims);
    case Reduction::kL2:
      return builder.Unary(OpKind::kSqrt,
                           Plain(builder, Reducer::kSum, Square(builder, x), dims, keep_dims));
    case Reduction::kSumSquare:
      return Plain(builder, Reducer::kSum, Square(builder, x), dims, keep_dims);
    case Reduction::kLogSum:
      return builder.Unary(OpKind::kLog, Plain(builder, Reducer::kSum, x, dims, keep_dims));
    case Reduction::kLogSumExp:
      return LogSumExp(builder, x, dims, keep_dims);
    case Reduction::kVariance:
      return Variance(builder, x, dims, keep_dims);
    case Reduction::kDeviation:
      return builder.Unary(OpKind::kSqrt, Variance(builder, x, dims, keep_dims));
    case Reduction::kAll:
      return Plain(builder, Reducer::kAnd, AsPred(builder, x), dims, keep_dims);
    case Reduction::kAny:
      return Plain(builder, Reducer::kOr, AsPred(builder, x), dims, keep_dims);
  }
  return kNoOp;
}

OpId ArgReduceOf(GraphBuilder& builder, Reducer reducer, OpId x, int64_t dim, bool keep_dims,
                 bool last_of_equals) {
  const Shape from = builder.shape(x);
  dim = DimOf(builder, dim, from.rank());
  if (!builder.ok()) return kNoOp;
  if (last_of_equals) x = builder.Reverse(x, {dim});
  OpId index = builder.ArgReduce(reducer, x, dim);
  if (last_of_equals) {
    const auto last = static_cast<double>(from.dims[dim].factor - 1);
    index = ScalarWith(builder, OpKind::kSubtract, last, index);
  }
  return keep_dims && builder.ok() ? Kept(builder, index, from, {dim}) : index;
}

OpId CumulativeOf(GraphBuilder& builder, Reducer reducer, OpId x, int64_t dim, bool exclusive,
                  bool reverse) {
  const Shape from = builder.shape(x);
  dim = DimOf(builder, dim, from.rank());
  if (!builder.ok()) return kNoOp;
  const Dim size = from.dims[dim];
  if (exclusive && !size.per_batch) {
    const double neutral = reducer == Reducer::kProduct ? 1 : 0;
    std::vector<int64_t> low(from.dims.size(), 0), high = low, none = low;
    (reverse ? high : low)[dim] = 1;
    const OpId wide = builder.Pad(x, neutral, low, high, none);
    const int64_t first = reverse ? 1 : 0;
    x = builder.SliceDim(wide, dim, first, first + size.factor);
  }
  return builder.Cumulative(reducer, x, dim, reverse);
}

MeanAndVariance MeanAndVarianceOf(GraphBuilder& builder, OpId x, const std::vector<int64_t>& dims) {
  MeanAndVariance moments;
  moments.mean = ReduceOf(builder, Reduction::kMean, x, dims, true);
  moments.centred = builder.Binary(OpKind::kSubtract, x,
                                   builder.BroadcastTo(moments.mean, builder.shape(x).dims));
  moments.variance =
      ReduceOf(builder, Reduction::kMean, Square(builder, moments.centred), dims, true);
  return moments;
}

}  // namespace tilewise
