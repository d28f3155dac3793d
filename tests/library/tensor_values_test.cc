// What the tensor operations compute, on a slow evaluator, against numbers
// worked out by hand.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "library/activations.h"
#include "library/broadcast.h"
#include "library/einsum.h"
#include "library/elementary.h"
#include "library/gather.h"
#include "library/matmul.h"
#include "library/normalizations.h"
#include "library/rearrange.h"
#include "library/reductions.h"
#include "library/resize.h"
#include "library/windows.h"
#include "tests/reference/evaluator.h"

namespace tilewise {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

// x counts from 0 (or 1, 2.. as `from` says) in the given dims.
std::vector<double> Computed(
    const std::vector<std::vector<int64_t>>& operands,
    const std::function<OpId(GraphBuilder&, const std::vector<OpId>&)>& make, double from = 0,
    DType dtype = DType::kF32) {
  GraphBuilder builder("test");
  reference::Tensors leaves;
  std::vector<OpId> ids;
  for (const std::vector<int64_t>& dims : operands) {
    const std::string name = "x" + std::to_string(ids.size());
    ids.push_back(builder.Parameter(Shape::Of(dtype, dims), name));
    reference::Tensor tensor;
    tensor.sizes = dims;
    int64_t count = 1;
    for (const int64_t dim : dims) count *= dim;
    for (int64_t i = 0; i < count; ++i) {
      tensor.data.push_back(from + static_cast<double>(i));
    }
    leaves[name] = tensor;
  }
  const OpId y = make(builder, ids);
  if (builder.ok()) builder.AddOutput(y, Output::Role::kResult);
  const absl::StatusOr<Graph> graph = builder.Build();
  if (!graph.ok()) {
    ADD_FAILURE() << Message(graph.status());
    return {};
  }
  return reference::Evaluate(*graph, leaves)[0].data;
}

using Ids = std::vector<OpId>;
using Numbers = std::vector<double>;

void ExpectNear(const Numbers& found, const Numbers& expected) {
  EXPECT_THAT(found, Pointwise(DoubleNear(1e-6), expected));
}

TEST(TensorValues, MatrixProductsWithAMatrixOnEitherSide) {
  // [0 1; 2 3] times two such matrices, and the other way round.
  ExpectNear(Computed({{2, 2}, {2, 2, 2}},
                      [](GraphBuilder& b, const Ids& x) { return NumpyMatMul(b, x[0], x[1]); }),
             {2, 3, 6, 11, 6, 7, 26, 31});
  ExpectNear(Computed({{2, 2, 2}, {2, 2}},
                      [](GraphBuilder& b, const Ids& x) { return NumpyMatMul(b, x[0], x[1]); }),
             {2, 3, 6, 11, 10, 19, 14, 27});
  ExpectNear(Computed({{1, 2, 2}, {2, 1, 2, 1}},
                      [](GraphBuilder& b, const Ids& x) { return NumpyMatMul(b, x[0], x[1]); }),
             {1, 3, 3, 13});
}

TEST(TensorValues, EinsumSumsTransposesAndTakesDiagonals) {
  const auto einsum = [](const char* equation) {
    return [equation](GraphBuilder& b, const Ids& x) { return Einsum(b, equation, x); };
  };
  ExpectNear(Computed({{2, 3}}, einsum("ij->ji")), {0, 3, 1, 4, 2, 5});
  ExpectNear(Computed({{2, 2}}, einsum("ii->i")), {0, 3});
  ExpectNear(Computed({{2, 2}}, einsum("ii")), {3});
  ExpectNear(Computed({{2, 3}, {3}}, einsum("ij,j->i")), {5, 14});
  ExpectNear(Computed({{2, 2}, {2, 2}}, einsum("ij,jk")), {2, 3, 6, 11});
  ExpectNear(Computed({{2, 1, 2}, {2, 2}}, einsum("...i,ij->...j")), {2, 3, 6, 11});
  ExpectNear(Computed({{2}, {3}}, einsum("i,j->ji")), {0, 0, 0, 1, 0, 2});
}

TEST(TensorValues, StridedSlicesAndPads) {
  ExpectNear(Computed({{5}}, [](GraphBuilder& b,
                                const Ids& x) { return StridedSlice(b, x[0], 0, -1, -6, -2); }),
             {4, 2, 0});
  ExpectNear(Computed({{5}}, [](GraphBuilder& b,
                                const Ids& x) { return StridedSlice(b, x[0], 0, 3, 0, -2); }),
             {3, 1});
  ExpectNear(Computed({{3, 4}},
                      [](GraphBuilder& b, const Ids& x) {
                        const SliceRange ranges[] = {{0, 1, 3}, {-1, 3, 0, -2}};
                        return SliceRanges(b, x[0], ranges);
                      }),
             {7, 5, 11, 9});
  ExpectNear(
      Computed({{2, 3}}, [](GraphBuilder& b, const Ids& x) { return SwapDims(b, x[0], -1, 0); }),
      {0, 3, 1, 4, 2, 5});
  const auto padded = [](PadMode mode) {
    return [mode](GraphBuilder& b, const Ids& x) { return PadWith(b, x[0], mode, 9, {2}, {1}); };
  };
  ExpectNear(Computed({{3}}, padded(PadMode::kConstant)), {9, 9, 0, 1, 2, 9});
  ExpectNear(Computed({{3}}, padded(PadMode::kReflect)), {2, 1, 0, 1, 2, 1});
  ExpectNear(Computed({{3}}, padded(PadMode::kSymmetric)), {1, 0, 0, 1, 2, 2});
  ExpectNear(Computed({{3}}, padded(PadMode::kEdge)), {0, 0, 0, 1, 2, 2});
  ExpectNear(Computed({{3}}, padded(PadMode::kWrap)), {1, 2, 0, 1, 2, 0});
  ExpectNear(Computed({{4}},
                      [](GraphBuilder& b, const Ids& x) {
                        return PadWith(b, x[0], PadMode::kConstant, 9, {-1}, {1});
                      }),
             {1, 2, 3, 9});
}

TEST(TensorValues, BlocksBetweenSpaceAndDepthGoBack) {
  const auto there_and_back = [](bool first) {
    return [first](GraphBuilder& b, const Ids& x) {
      return DepthToSpace(b, SpaceToDepth(b, x[0], 2, first), 2, first, BlockOrder::kBlockFirst);
    };
  };
  Numbers count;
  for (int i = 0; i < 32; ++i) count.push_back(i);
  ExpectNear(Computed({{1, 2, 4, 4}}, there_and_back(true)), count);
  ExpectNear(Computed({{1, 4, 4, 2}}, there_and_back(false)), count);
  ExpectNear(Computed({{1, 4, 1, 1}},
                      [](GraphBuilder& b, const Ids& x) {
                        return DepthToSpace(b, x[0], 2, true, BlockOrder::kDepthFirst);
                      }),
             {0, 1, 2, 3});
}

TEST(TensorValues, TilesAndTriangles) {
  ExpectNear(Computed({{1, 2}},
                      [](GraphBuilder& b, const Ids& x) {
                        return Tile(b, x[0], std::vector<int64_t>{2, 2});
                      }),
             {0, 1, 0, 1, 0, 1, 0, 1});
  ExpectNear(
      Computed(
          {{2, 3}},
          [](GraphBuilder& b, const Ids& x) { return Triangle(b, x[0], /*lower=*/true, 0); }, 1),
      {1, 0, 0, 4, 5, 0});
  ExpectNear(
      Computed(
          {{2, 3}},
          [](GraphBuilder& b, const Ids& x) { return Triangle(b, x[0], /*lower=*/false, 1); }, 1),
      {0, 2, 3, 0, 0, 6});
}

TEST(TensorValues, AveragePoolsCountTheirPaddingOrNot) {
  const auto pooled = [](bool count_padding) {
    return [count_padding](GraphBuilder& b, const Ids& x) {
      return AveragePool(b, x[0], {{2, 2, 1, 1}}, true, count_padding);
    };
  };
  ExpectNear(Computed({{1, 1, 4}}, pooled(false)), {0, 1.5, 3});
  ExpectNear(Computed({{1, 1, 4}}, pooled(true)), {0, 1.5, 1.5});
}

TEST(TensorValues, PaddingRules) {
  WindowDim window{3, 2};
  PadSame(window, 6);
  EXPECT_EQ(window.pad_low, 0);
  EXPECT_EQ(window.pad_high, 1);
  PadSame(window, 6, /*odd_low=*/true);
  EXPECT_EQ(window.pad_low, 1);
  WindowDim ceil{2, 2};
  EXPECT_EQ(PadForCeil(ceil, 5), 1);
  EXPECT_EQ(WindowCount(ceil, 5), 3);
  // A window that would start in the padding does not count.
  WindowDim beyond{1, 3, 0, 1};
  EXPECT_EQ(PadForCeil(beyond, 3), 0);
  EXPECT_EQ(WindowCount(beyond, 3), 2);
}

TEST(TensorValues, ReductionsOfAllKinds) {
  const auto reduced = [](Reduction reduction) {
    return [reduction](GraphBuilder& b, const Ids& x) {
      return ReduceOf(b, reduction, x[0], {-1}, false);
    };
  };
  ExpectNear(Computed({{2, 2}}, reduced(Reduction::kMean), 1), {1.5, 3.5});
  ExpectNear(Computed({{2, 2}}, reduced(Reduction::kL2), 3), {5, 7.81024968});
  ExpectNear(Computed({{2, 2}}, reduced(Reduction::kVariance), 1), {0.25, 0.25});
  ExpectNear(Computed({{1, 2}}, reduced(Reduction::kLogSumExp)), {1.31326169});
  ExpectNear(Computed({{2, 2}}, reduced(Reduction::kProduct), 1), {2, 12});
}

TEST(TensorValues, FunctionsOfOneElement) {
  const auto unary = [](OpId (*make)(GraphBuilder&, OpId)) {
    return [make](GraphBuilder& b, const Ids& x) { return make(b, x[0]); };
  };
  ExpectNear(Computed({{1}}, unary(Sinh), 0.5), {0.52109531});
  ExpectNear(Computed({{1}}, unary(Asin), 0.5), {0.52359878});
  ExpectNear(Computed({{1}}, unary(Acos), 0.5), {1.04719755});
  ExpectNear(Computed({{1}}, unary(Atan), 0.5), {0.46364761});
  ExpectNear(Computed({{1}}, unary(Asinh), 0.5), {0.48121183});
  ExpectNear(Computed({{1}}, unary(Acosh), 2), {1.31695790});
  ExpectNear(Computed({{1}}, unary(Atanh), 0.5), {0.54930614});
  ExpectNear(Computed({{2}}, unary(Softplus), 0), {0.69314718, 1.31326169});
  ExpectNear(Computed({{2}}, unary(HardSwish), 0), {0, 2.0 / 3});
  ExpectNear(Computed({{2}}, unary(Mish), 0), {0, 0.86509839});
}

TEST(TensorValues, PythonsDivisionOfIntegers) {
  const auto divided = [](OpId (*make)(GraphBuilder&, OpId, OpId)) {
    return [make](GraphBuilder& b, const Ids& x) { return make(b, x[0], FilledLike(b, x[0], 3)); };
  };
  ExpectNear(Computed({{4}}, divided(FloorDivide), -4, DType::kS32), {-2, -1, -1, -1});
  ExpectNear(Computed({{4}}, divided(FloorModulo), -4, DType::kS32), {2, 0, 1, 2});
}

TEST(TensorValues, NormalisationsAndSoftmaxes) {
  ExpectNear(
      Computed({{1, 2}}, [](GraphBuilder& b, const Ids& x) { return LogSoftmaxOf(b, x[0], -1); }),
      {-1.31326169, -0.31326169});
  ExpectNear(
      Computed({{2, 2}}, [](GraphBuilder& b, const Ids& x) { return HardmaxOf(b, x[0], 1); }),
      {0, 1, 0, 1});
  ExpectNear(Computed({{1, 4}},
                      [](GraphBuilder& b, const Ids& x) {
                        return GroupNorm(b, b.Reshape(x[0], {{1}, {4}, {1}}), kNoOp, kNoOp, 2, 0);
                      }),
             {-1, 1, -1, 1});
  // Of features, then of groups.
  using Scaled = std::pair<int64_t, std::vector<double>>;
  for (const auto& [size, y] : {Scaled(4, {0, 2, 0, 6}), Scaled(2, {0, 0, 0, 2})}) {
    ExpectNear(Computed({{1, 4}, {size}},
                        [](GraphBuilder& b, const Ids& x) {
                          const OpId image = b.Reshape(x[0], {{1}, {4}, {1}});
                          return GroupNorm(b, image, x[1], x[1], 2, 0);
                        }),
               y);
  }
  // Two positions of two groups of two features: both forms are one.
  ExpectNear(Computed({{2, 4}, {4}},
                      [](GraphBuilder& b, const Ids& x) {
                        const OpId image = b.Reshape(x[0], {{1}, {2}, {4}});
                        const OpId split = GroupNorm(b, image, x[1], x[1], 2, 1, 2);
                        const OpId whole = GroupNormOfFeatures(b, image, x[1], x[1], 2, 1, 2);
                        return b.Binary(OpKind::kSubtract, split, whole);
                      }),
             std::vector<double>(8, 0));
  ExpectNear(Computed({{2, 2}},
                      [](GraphBuilder& b, const Ids& x) {
                        const OpId rows = b.Reshape(x[0], {{1}, {2}, {2}, {1}});
                        return BatchNormOf(b, rows, {}, 1, 0, /*training=*/true);
                      }),
             {-1, 1, -1, 1});
  ExpectNear(Computed(
                 {{1, 3}},
                 [](GraphBuilder& b, const Ids& x) {
                   return LocalResponseNorm(b, x[0], 1, {3, 1, 1, 1});
                 },
                 1),
             {1.0 / 6, 2.0 / 15, 3.0 / 14});
}

TEST(TensorValues, IndexedAccess) {
  const auto places = [](GraphBuilder& b, std::vector<int64_t> dims) {
    return b.Iota(Shape::Of(DType::kS32, dims), static_cast<int64_t>(dims.size()) - 1);
  };
  ExpectNear(
      Computed({{2, 3}}, [&](GraphBuilder& b,
                             const Ids& x) { return TakeAlong(b, x[0], places(b, {2}), 1); }),
      {0, 1, 3, 4});
  ExpectNear(Computed({{2, 3}},
                      [&](GraphBuilder& b, const Ids& x) {
                        return TakeElements(b, x[0], places(b, {2, 2}), 0);
                      }),
             {0, 4, 0, 4});
  ExpectNear(Computed({{2, 3}},
                      [&](GraphBuilder& b, const Ids& x) {
                        return GatherNd(b, x[0], places(b, {1, 2}));
                      }),
             {1});
  ExpectNear(Computed({{2, 2}},
                      [&](GraphBuilder& b, const Ids& x) {
                        return OneHot(b, b.Convert(x[0], DType::kS32), 2, 0,
                                      b.Scalar(5, DType::kF32), b.Scalar(0, DType::kF32));
                      }),
             {5, 0, 0, 0, 0, 5, 0, 0});
  ExpectNear(
      Computed({{3}, {1}},
               [&](GraphBuilder& b, const Ids& x) {
                 const OpId at = b.Reshape(b.Scalar(2, DType::kS32), {{1, false}, {1, false}});
                 return ScatterNd(b, x[0], at, x[1], {});
               }),
      {0, 1, 0});
}

TEST(TensorValues, NearestSamplesByWholeFactors) {
  ExpectNear(Computed({{1, 2}},
                      [](GraphBuilder& b, const Ids& x) {
                        return ResizeDims(b, x[0], std::vector<int64_t>{1}, std::vector<int64_t>{4},
                                          ResizeMode::kNearest);
                      }),
             {0, 0, 1, 1});
  ExpectNear(Computed({{1, 4}},
                      [](GraphBuilder& b, const Ids& x) {
                        return ResizeDims(b, x[0], std::vector<int64_t>{1}, std::vector<int64_t>{2},
                                          ResizeMode::kNearest);
                      }),
             {0, 2});
  ExpectNear(Computed({{1, 2, 1, 2}},
                      [](GraphBuilder& b, const Ids& x) {
                        return ResizeDims(b, x[0], std::vector<int64_t>{3}, std::vector<int64_t>{4},
                                          ResizeMode::kNearest);
                      }),
             {0, 0, 1, 1, 2, 2, 3, 3});
}

}  // namespace
}  // namespace tilewise
