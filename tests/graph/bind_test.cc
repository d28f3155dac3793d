// Graphs at a known batch size.

#include <gtest/gtest.h>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

Graph Sliced() {
  GraphBuilder b("g");
  b.SetLocation({.file = "m.py", .line = 4});
  const OpId x = b.Parameter({DType::kF32, {BatchDim(2), {1000, false}}}, "x");
  const OpId w = b.Variable(Shape::Of(DType::kF32, {5, 3}), "w", true);
  b.Variable(Shape::Of(DType::kF32, {7}), "mean", false);
  b.AddOutput(b.SliceDim(x, 1, 10, 20), Output::Role::kResult);
  b.AddOutput(w, Output::Role::kResult);
  return *b.Build();
}

TEST(Bind, MultipliesEveryBatchDimOut) {
  const Graph bound = Sliced().Bind(8);
  EXPECT_TRUE(bound.is_static());
  EXPECT_EQ(FormatShape(bound.op(0).shape), "f32[16,1000]");
  EXPECT_EQ(FormatShape(bound.ops().back().shape), "f32[16,10]");
}

TEST(Bind, GivesWholeSlicesTheirLimit) {
  const Graph graph = Sliced();
  EXPECT_EQ(graph.ops().back().as<SliceAttrs>().limits[0], kWholeDim);
  EXPECT_EQ(graph.Bind(8).ops().back().as<SliceAttrs>().limits[0], 16);
}

TEST(Bind, KeepsNamesUsersAndOutputs) {
  const Graph graph = Sliced();
  const Graph bound = graph.Bind(8);
  ASSERT_EQ(bound.size(), graph.size());
  EXPECT_EQ(bound.op(0).name, "x");
  EXPECT_EQ(bound.users(0).size(), 1u);
  EXPECT_EQ(bound.outputs(), graph.outputs());
}

TEST(CheckBindable, NamesTheOpThatOverflows) {
  const Graph graph = Sliced();
  EXPECT_TRUE(CheckBindable(graph, 8).ok());
  const absl::Status status = CheckBindable(graph, 1'000'000'000'000);
  EXPECT_EQ(Message(status),
            "m.py:4: x: found f32[2N,1000] at batch size 1000000000000, "
            "expected at most 35184372088832 elements");
}

TEST(CheckBindable, BatchMustBePositive) {
  EXPECT_EQ(Message(CheckBindable(Sliced(), 0)), "found batch size 0, expected 1 or more");
}

TEST(Graph, CountsTrainableParametersOnly) { EXPECT_EQ(Sliced().trainable_parameters(), 15); }

}  // namespace
}  // namespace tilewise
