// Reductions of every kind, over any dims.

#pragma once

#include <optional>
#include <vector>

#include "graph/graph_builder.h"
#include "library/known_value.h"

namespace tilewise {

enum class Reduction : uint8_t {
  kSum,
  kMean,
  kMax,
  kMin,
  kProduct,
  kL1,  // sum of |x|
  kL2,  // root of the sum of squares
  kSumSquare,
  kLogSum,
  kLogSumExp,  // with the maximum taken out
  kVariance,   // of the population
  kDeviation,  // its root
  kAll,        // kPred
  kAny,
};

// Dims may be negative; none: x itself. Kept dims have size 1. Where the batch
// is among the dims, means divide by the elements of one example: the number
// does not matter to costs.
OpId ReduceOf(GraphBuilder& builder, Reduction reduction, OpId x, const std::vector<int64_t>& dims,
              bool keep_dims);
std::vector<int64_t> AllDims(const GraphBuilder& builder, OpId x);

// Elements that one result of a reduction over `dims` is made of (of one
// example).
double ElementsIn(const Shape& shape, const std::vector<int64_t>& dims);

// The s32 index of the largest or smallest element.
OpId ArgReduceOf(GraphBuilder& builder, Reducer reducer, OpId x, int64_t dim, bool keep_dims,
                 bool last_of_equals = false);

// Running sums, products... along a dim, from its end when `reverse`; an
// `exclusive` one is that of the elements before, as tf2xla writes it: of the
// elements moved by one.
OpId CumulativeOf(GraphBuilder& builder, Reducer reducer, OpId x, int64_t dim,
                  bool exclusive = false, bool reverse = false);

// x minus its mean, over dims; then the mean of its squares, dims kept.
struct MeanAndVariance {
  OpId centred = kNoOp;
  OpId mean = kNoOp;
  OpId variance = kNoOp;
};
MeanAndVariance MeanAndVarianceOf(GraphBuilder& builder, OpId x, const std::vector<int64_t>& dims);

}  // namespace tilewise
