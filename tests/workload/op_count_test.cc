// Operations and bytes of ops against numbers worked out by hand, and the
// shares that coverage makes of them.

#include <functional>

#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "workload/coverage.h"

namespace tilewise {
namespace {

using Build = std::function<OpId(GraphBuilder&)>;

Graph Make(const Build& build) {
  GraphBuilder b("g");
  b.AddOutput(build(b), Output::Role::kResult);
  absl::StatusOr<Graph> graph = b.Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

// Of the last op.
double Flops(const Build& build) {
  const Graph graph = Make(build);
  return CountFlops(graph, graph.op(OpId(graph.size() - 1)));
}

Shape F32(const std::vector<int64_t>& sizes) { return Shape::Of(DType::kF32, sizes); }

TEST(OpCount, ProductsAreTwiceTheirSizes) {
  EXPECT_EQ(
      Flops([](GraphBuilder& b) {
        return b.MatMul(b.Parameter(F32({32, 64}), "x"), b.Variable(F32({64, 128}), "w", true));
      }),
      2.0 * 32 * 64 * 128);
}

TEST(OpCount, ConvolutionsCountTheKernelAtEveryPlace) {
  const std::vector<WindowDim> window(2, {.size = 3, .pad_low = 1, .pad_high = 1});
  EXPECT_EQ(Flops([&](GraphBuilder& b) {
              return b.Convolution(b.Parameter(F32({2, 8, 8, 16}), "x"),
                                   b.Variable(F32({3, 3, 16, 4}), "w", true), window, 1, false);
            }),
            2.0 * (2 * 8 * 8 * 4) * (3 * 3 * 16));
}

TEST(OpCount, GroupsOfAConvolutionSeeTheirOwnFeatures) {
  const std::vector<WindowDim> window(2, {.size = 3, .pad_low = 1, .pad_high = 1});
  EXPECT_EQ(Flops([&](GraphBuilder& b) {
              return b.Convolution(b.Parameter(F32({2, 8, 8, 16}), "x"),
                                   b.Variable(F32({3, 3, 1, 16}), "w", true), window, 16, false);
            }),
            2.0 * (2 * 8 * 8 * 16) * (3 * 3));
}

TEST(OpCount, OthersCountElementsAndMovesNone) {
  const auto x = [](GraphBuilder& b) { return b.Parameter(F32({8, 128}), "x"); };
  EXPECT_EQ(Flops([&](GraphBuilder& b) { return b.Unary(OpKind::kExp, x(b)); }), 8.0 * 128);
  EXPECT_EQ(Flops([&](GraphBuilder& b) { return b.Reduce(Reducer::kSum, x(b), {1}); }), 8.0 * 128);
  EXPECT_EQ(Flops([&](GraphBuilder& b) { return b.Transpose(x(b), {1, 0}); }), 0);
}

TEST(OpCount, LoopsRepeatWhatIsInThem) {
  const Graph graph = Make([](GraphBuilder& b) {
    const OpId x = b.Parameter(F32({8, 128}), "x");
    b.SetLoop({1, 10});
    return b.Unary(OpKind::kExp, x);
  });
  const Op& last = graph.ops().back();
  EXPECT_EQ(CountFlops(graph, last), 10.0 * 8 * 128);
  EXPECT_EQ(CountBytes(graph, last), 10.0 * 2 * 4 * 8 * 128);
}

TEST(Coverage, ShareIsThatOfOpsWithAKnownCost) {
  Workload workload;
  workload.layers = 4;
  workload.opaque_layers = {{"Mystery", 1}};
  workload.graph = Make([](GraphBuilder& b) {
    const OpId x = b.Parameter({DType::kF32, {BatchDim(), {128}}}, "x");
    const OpId y = b.Unary(OpKind::kExp, x);
    return b.Opaque("mystery", {y}, b.shape(y));
  });
  const Coverage coverage = MeasureCoverage(workload, 4);
  EXPECT_EQ(coverage.batch, 4);
  EXPECT_EQ(coverage.ops, 2);
  EXPECT_EQ(coverage.flops, 2.0 * 4 * 128);
  EXPECT_EQ(coverage.native_ops, 0.75);
  EXPECT_EQ(coverage.native_flops, 0.5);
  EXPECT_EQ(coverage.native_bytes, 0.5);
  EXPECT_EQ(coverage.by_kind.at("exponential"), 1);
}

TEST(Coverage, WithoutAModelNothingIsMissing) {
  const Coverage coverage = MeasureCoverage({}, 1);
  EXPECT_EQ(coverage.ops, 0);
  EXPECT_EQ(coverage.native_flops, 1);
}

}  // namespace
}  // namespace tilewise
