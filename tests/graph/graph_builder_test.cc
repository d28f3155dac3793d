// Names, context, sticking errors and the speed of building.

#include "graph/graph_builder.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Shape Vector(int64_t size) { return {DType::kF32, {BatchDim(), {size, false}}}; }

TEST(GraphBuilder, MakesNamesUniqueWithinTheirScope) {
  GraphBuilder b("g");
  b.SetScope("dense");
  const OpId a = b.Parameter(Vector(4), "x");
  const OpId c = b.Parameter(Vector(4), "x");
  const OpId d = b.Parameter(Vector(4), "x_1");
  EXPECT_EQ(b.op(a).name, "dense/x");
  EXPECT_EQ(b.op(c).name, "dense/x_1");
  EXPECT_EQ(b.op(d).name, "dense/x_1_1");
}

TEST(GraphBuilder, NumbersOpsAsTheyAreMade) {
  GraphBuilder b("g");
  OpId x = b.Parameter(Vector(4), "x");
  x = b.Binary(OpKind::kAdd, x, x);
  EXPECT_EQ(x, OpId(b.size() - 1));
  b.AddOutput(b.Unary(OpKind::kTanh, x), Output::Role::kResult);
  const absl::StatusOr<Graph> graph = b.Build();
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::vector<int> uses(graph->size());
  for (const Op& op : graph->ops()) {
    EXPECT_EQ(&graph->op(op.id), &op);
    for (const OpId operand : op.operands) ++uses[operand];
  }
  EXPECT_THAT(uses, ElementsAre(2, 1, 0));
}

TEST(GraphBuilder, GivesOpsTheCurrentContext) {
  GraphBuilder b("g");
  b.SetLocation({.file = "m.py", .line = 3});
  b.SetPhase(Phase::kBackward);
  b.SetOrigin(7);
  const OpId x = b.Parameter(Vector(4), "x");
  EXPECT_EQ(b.op(x).location.line, 3);
  EXPECT_EQ(b.op(x).phase, Phase::kBackward);
  EXPECT_EQ(b.op(x).origin, 7);
  b.SetOrigin(kNoOp);
  EXPECT_EQ(b.op(b.Unary(OpKind::kTanh, x)).origin, 1);
}

TEST(GraphBuilder, FirstErrorSticksWithItsPlace) {
  GraphBuilder b("g");
  const OpId x = b.Parameter(Vector(4), "x");
  const OpId y = b.Parameter(Vector(5), "y");
  b.SetLocation({.file = "m.py", .line = 3});
  const OpId bad = b.Binary(OpKind::kAdd, x, y);
  EXPECT_EQ(bad, kNoOp);
  b.SetLocation({.file = "m.py", .line = 9});
  EXPECT_EQ(b.Unary(OpKind::kTanh, bad), kNoOp);
  EXPECT_EQ(b.shape(bad).dims[1].factor, 1);
  b.Fail("later");
  const auto graph = b.Build();
  ASSERT_FALSE(graph.ok());
  EXPECT_EQ(Message(graph.status()), "m.py:3: add: operand 1 has f32[N,5], expected f32[N,4]");
}

TEST(GraphBuilder, AnOperandThatWasNeverMadeIsAnError) {
  GraphBuilder b("g");
  b.SetScope("layer");
  EXPECT_EQ(b.Unary(OpKind::kTanh, kNoOp), kNoOp);
  EXPECT_EQ(Message(b.status()), "layer: found an operand that was never made");
}

TEST(GraphBuilder, RollsBackToAMark) {
  GraphBuilder b("g");
  const OpId x = b.Parameter(Vector(4), "x");
  const OpId first = b.Unary(OpKind::kTanh, x);
  b.SetLocation({.file = "m.py", .line = 3});
  const GraphBuilder::Mark mark = b.MarkHere();
  const OpId second = b.Unary(OpKind::kTanh, first);
  b.Unary(OpKind::kTanh, second);
  b.AddOutput(second, Output::Role::kResult);
  b.Fail("found no rows");
  EXPECT_EQ(Message(b.status()), "m.py:3: found no rows");
  EXPECT_EQ(Message(b.TakeStatus()), "found no rows");
  EXPECT_TRUE(b.ok());
  b.RollBack(mark);
  EXPECT_EQ(b.size(), 2);
  EXPECT_EQ(b.op(b.Unary(OpKind::kTanh, first)).name, "tanh_1");
  EXPECT_EQ(b.op(b.Unary(OpKind::kTanh, first)).name, "tanh_2");
  b.AddOutput(first, Output::Role::kResult);
  const auto graph = b.Build();
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->outputs().size(), 1);
}

TEST(GraphBuilder, MovesThatChangeNothingAreTheirOperand) {
  GraphBuilder b("g");
  const OpId x = b.Parameter({DType::kF32, {BatchDim(), {1, false}, {5, false}}}, "x");
  EXPECT_EQ(b.Reshape(x, b.shape(x).dims), x);
  EXPECT_EQ(b.Transpose(x, {0, 1, 2}), x);
  EXPECT_EQ(b.Reverse(x, {1}), x);
  EXPECT_EQ(b.Slice(x, {0, 0, 0}, {kWholeDim, 1, 5}, {}), x);
  EXPECT_EQ(b.Concatenate({x}, 2), x);
  EXPECT_NE(b.Transpose(x, {0, 2, 1}), x);
  EXPECT_TRUE(b.ok());
}

TEST(GraphBuilder, StretchesLikeNumpy) {
  GraphBuilder b("g");
  const OpId x = b.Parameter({DType::kF32, {{1, false}, {5, false}}}, "x");
  const OpId y = b.BroadcastTo(x, {BatchDim(), {7, false}, {5, false}});
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(FormatShape(b.shape(y)), "f32[N,7,5]");
  EXPECT_EQ(b.BroadcastTo(x, {{1, false}, {5, false}}), x);
  b.BroadcastTo(x, {{3, false}, {4, false}});
  EXPECT_EQ(Message(b.status()), "broadcast: f32[1,5] does not stretch to f32[3,4]");
}

TEST(GraphBuilder, ScalarIsStretchedToTheOtherOperand) {
  GraphBuilder b("g");
  const OpId x = b.Parameter(Vector(4), "x");
  const OpId y = b.BinaryScalar(OpKind::kMultiply, x, 0.5);
  EXPECT_EQ(b.shape(y), b.shape(x));
  EXPECT_EQ(b.op(b.op(y).operands[1]).kind, OpKind::kBroadcast);
}

TEST(GraphBuilder, ConvertToTheSameTypeIsNothing) {
  GraphBuilder b("g");
  const OpId x = b.Parameter(Vector(4), "x");
  EXPECT_EQ(b.Convert(x, DType::kF32), x);
  EXPECT_EQ(b.shape(b.Convert(x, DType::kBF16)).dtype, DType::kBF16);
}

TEST(GraphBuilder, CloneKeepsTheOpAndItsName) {
  GraphBuilder b("g");
  b.SetLocation({.file = "m.py", .line = 3});
  const OpId x = b.Parameter(Vector(4), "x");
  const OpId y = b.Softmax(x, 1);
  GraphBuilder copy("copy");
  copy.SetScope("elsewhere");
  const OpId cx = copy.Clone(b.op(x), {});
  const OpId cy = copy.Clone(b.op(y), {cx}, true);
  ASSERT_TRUE(copy.ok());
  EXPECT_EQ(copy.op(cy).name, "softmax");
  EXPECT_EQ(copy.op(cy).location.line, 3);
  EXPECT_EQ(copy.op(cy).attrs, b.op(y).attrs);
  EXPECT_EQ(copy.op(cy).origin, y);
}

TEST(GraphBuilder, StateOutputHasItsVariablesShape) {
  GraphBuilder b("g");
  const OpId w = b.Variable(Shape::Of(DType::kF32, {3}), "w", true);
  const OpId x = b.Variable(Shape::Of(DType::kF32, {4}), "x", true);
  b.AddOutput(x, Output::Role::kState, w);
  EXPECT_EQ(Message(b.status()), "output x updates w with f32[4], expected f32[3]");
}

TEST(GraphBuilder, VariableMayNotDependOnTheBatch) {
  GraphBuilder b("g");
  b.Variable(Vector(4), "w", true);
  EXPECT_THAT(Message(b.status()), HasSubstr("do not depend on the batch"));
}

TEST(Graph, ListsEachUserOnce) {
  GraphBuilder b("g");
  const OpId x = b.Parameter(Vector(4), "x");
  const OpId square = b.Binary(OpKind::kMultiply, x, x);
  const OpId sum = b.Binary(OpKind::kAdd, x, square);
  const auto graph = b.Build();
  ASSERT_TRUE(graph.ok());
  EXPECT_THAT(graph->users(x), ElementsAre(square, sum));
  EXPECT_THAT(graph->users(square), ElementsAre(sum));
  EXPECT_TRUE(graph->users(sum).empty());
}

TEST(GraphBuilder, ReferencesToOpsOutliveTheNextOps) {
  GraphBuilder b("g");
  const Op& x = b.op(b.Parameter(Vector(4), "x"));
  for (int i = 0; i < 1000; ++i) b.Unary(OpKind::kTanh, x.id);
  EXPECT_EQ(&x, &b.op(0));
}

TEST(GraphBuilder, TenThousandOpsOfOneNameTakeMilliseconds) {
  const auto start = std::chrono::steady_clock::now();
  GraphBuilder b("g");
  OpId x = b.Parameter(Vector(4), "x");
  for (int i = 0; i < 10'000; ++i) x = b.Unary(OpKind::kTanh, x);
  const auto graph = b.Build();
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->op(x).name, "tanh_9999");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 1.0);  // quadratic names would take far longer
}

TEST(GraphBuilder, AFullGraphStaysFull) {
  GraphBuilder b("g");
  OpId x = b.Parameter(Vector(4), "x");
  const GraphBuilder::Mark mark = b.MarkHere();
  while (b.ok()) x = b.Unary(OpKind::kNegate, x);
  EXPECT_THAT(Message(b.status()), HasSubstr("more than 200,000 ops"));
  b.RollBack(mark);
  EXPECT_FALSE(b.ok());
  EXPECT_FALSE(b.TakeStatus().ok());
  EXPECT_FALSE(b.ok());
}

}  // namespace
}  // namespace tilewise
