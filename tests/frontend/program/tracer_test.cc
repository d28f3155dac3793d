// Traces of programs: the same networks as in files, weights, known numbers,
// errors, loops.

#include "frontend/program/tracer.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "frontend/onnx/read_onnx.h"
#include "tests/frontend/program/traced.h"
#include "tests/onnx/model_text.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

// What is computed, whatever the names: kinds and shapes, sorted.
std::vector<std::string> Computed(const Graph& graph) {
  std::vector<std::string> all;
  for (const tilewise::Op& op : graph.ops()) {
    all.push_back(std::string(OpName(op.kind)) + " " + FormatShape(op.shape));
  }
  std::sort(all.begin(), all.end());
  return all;
}

Graph FromOnnx(std::string_view text) {
  const std::string bytes = ModelFromText(text).SerializeAsString();
  auto workload = ReadOnnx({"test.onnx", bytes}, {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload->graph);
}

constexpr char kPerceptron[] =
    "opset 17\ninput x f32 N,6\nweight a f32 8,6\nweight b f32 8\nweight c f32 3,8\n"
    "weight d f32 3\nnode Gemm x a b -> y transB=1\nnode Relu y -> z\n"
    "node Gemm z c d -> r transB=1\noutput r";

TEST(Tracer, MakesTheNetworkThatAFileHas) {
  Trace t;
  const Value x = t.Input({4, 6});
  const AttributeMap transposed = {{"transB", int64_t{1}}};
  const Value y = t.Op("onnx.Gemm", {x, t.Weight({8, 6}, "a"), t.Weight({8}, "b")}, transposed);
  const Value z = t.Op("onnx.Relu", {y});
  const Value r = t.Op("onnx.Gemm", {z, t.Weight({3, 8}, "c"), t.Weight({3}, "d")}, transposed);
  const TracedStep step = t.Finished({.results = {r}});
  EXPECT_EQ(step.batch, 4);
  EXPECT_EQ(Computed(step.graph), Computed(FromOnnx(kPerceptron)));
  EXPECT_EQ(step.counts.trainable, 6 * 8 + 8 + 8 * 3 + 3);
  EXPECT_EQ(step.counts.macs, 6 * 8 + 8 * 3);
  EXPECT_EQ(step.source_ops.at("onnx.Gemm"), 2);
}

TEST(Tracer, MakesItOfItsOwnOps) {
  Trace t;
  const Value x = t.Input({4, 6});
  const auto dense = [&](const Value& from, const Value& kernel, const Value& bias) {
    const Value product = t.Op("tw.matmul", {from, t.Op("tw.transpose", {kernel})});
    return t.Op("tw.binary", {product, bias}, {{"kind", Text("add")}});
  };
  const Value y = dense(x, t.Weight({8, 6}, "a"), t.Weight({8}, "b"));
  const Value z = t.Op("tw.unary", {y}, {{"kind", Text("relu")}});
  const Value r = dense(z, t.Weight({3, 8}, "c"), t.Weight({3}, "d"));
  const Graph graph = t.Finished({.results = {r}}).graph;
  // The same but for the weights' order, which is that of their only use.
  EXPECT_EQ(Count(graph, OpKind::kTranspose), 0);
  EXPECT_EQ(Count(graph, OpKind::kDot), 2);
  EXPECT_EQ(graph.size(), FromOnnx(kPerceptron).size());
  EXPECT_EQ(FormatShape(Find(graph, OpKind::kVariable)->shape), "f32[6,8]");
}

TEST(Tracer, KeepsTheOrderOfWeightsWithTwoUses) {
  Trace t;
  const Value ids = t.Input({4, 5}, DType::kS32);
  const Value table = t.Weight({10, 6}, "embedding");
  const Value rows = t.Op("tw.take", {table, ids});
  const Value logits = t.Op("tw.matmul", {rows, t.Op("tw.transpose", {table})});
  const TracedStep step = t.Finished({.results = {logits}});
  EXPECT_EQ(Count(step.graph, OpKind::kVariable), 1);
  EXPECT_EQ(Count(step.graph, OpKind::kTranspose), 1);
  EXPECT_EQ(step.counts.trainable, 60);
}

TEST(Tracer, ReordersWeightsBehindAConversion) {
  Trace t;
  const Value x = t.Op("tw.convert", {t.Input({4, 6})}, {{"dtype", Text("bf16")}});
  const Value w = t.Op("tw.convert", {t.Weight({8, 6})}, {{"dtype", Text("bf16")}});
  const Value y = t.Op("tw.matmul", {x, t.Op("tw.transpose", {w})});
  const Graph graph = t.Finished({.results = {y}}).graph;
  EXPECT_EQ(Count(graph, OpKind::kTranspose), 0);
  EXPECT_EQ(FormatShape(Find(graph, OpKind::kVariable)->shape), "f32[6,8]");
  EXPECT_EQ(FormatShape(graph.op(graph.outputs()[0].value).shape), "bf16[N,8]");
}

TEST(Tracer, LeavesOutWhatNoResultNeeds) {
  Trace t;
  const Value x = t.Input({4, 6});
  t.Op("tw.matmul", {x, t.Weight({6, 7}, "unused")});
  const Value y = t.Op("tw.unary", {x}, {{"kind", Text("tanh")}});
  const TracedStep step = t.Finished({.results = {y}});
  EXPECT_EQ(step.graph.size(), 2);
  EXPECT_EQ(step.counts.trainable, 42);
  EXPECT_THAT(step.counts.unused, testing::ElementsAre("unused"));
}

TEST(Tracer, NamesWeightsAtAnyTime) {
  Trace t;
  const Value w = t.Weight({6, 8}, "first");
  const Value y = t.Op("tw.matmul", {t.Input({4, 6}), w});
  t.tracer().Rename(w, "layer/kernel");
  t.tracer().SetTrainable(w, false);
  const TracedStep step = t.Finished({.results = {y}});
  const tilewise::Op& variable = *Find(step.graph, OpKind::kVariable);
  EXPECT_EQ(variable.name, "layer/kernel");
  EXPECT_FALSE(variable.as<VariableAttrs>().trainable);
  EXPECT_EQ(step.counts.other, 48);
}

TEST(Tracer, ComputesKnownNumbers) {
  Trace t;
  const Value two = Tracer::Known(KnownScalar(2));
  const Value sum =
      t.Op("tw.binary", {two, Tracer::Known(KnownScalar(5))}, {{"kind", Text("multiply")}});
  ASSERT_NE(Tracer::Numbers(sum), nullptr);
  EXPECT_EQ(KnownInteger(*Tracer::Numbers(sum)), 10);
  const Value zeros = Valid(t.tracer().Full(0, Shape::Of(DType::kF32, {2, 3})));
  const Value part = t.Op("tw.slice", {zeros}, {{"limits", Ints{1, 3}}});
  ASSERT_NE(Tracer::Numbers(part), nullptr);
  EXPECT_EQ(Tracer::Numbers(part)->dims, (Ints{1, 3}));
  EXPECT_EQ(t.tracer().builder().size(), 0);
}

TEST(Tracer, SaysWhatDoesNotFit) {
  Trace t;
  const Value x = t.Input({4, 6}), w = t.Weight({7, 8});
  const int32_t size = t.tracer().builder().size();
  const auto product = t.tracer().Op("onnx.MatMul", {x, w});
  ASSERT_FALSE(product.ok());
  EXPECT_THAT(Message(product.status()), HasSubstr("f32[4,6]"));
  EXPECT_EQ(t.tracer().builder().size(), size);
  EXPECT_THAT(Message(t.tracer().Op("onnx.Nothing", {x}).status()), HasSubstr("onnx.Nothing"));
  const auto kind = t.tracer().Op("tw.unary", {x}, {{"kind", Text("nothing")}});
  EXPECT_THAT(Message(kind.status()), HasSubstr("'nothing'"));
  EXPECT_EQ(t.ShapeOf(t.Op("onnx.MatMul", {x, t.Weight({6, 8})})), "f32[4,8]");
}

TEST(Tracer, TakesAttributesAsOnnxHasThem) {
  Trace t;
  const Value x = t.Input({2, 3, 8, 8});
  const Value y = t.Op("onnx.Conv", {x, t.Weight({16, 3, 3, 3})},
                       {{"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}});
  EXPECT_EQ(t.ShapeOf(y), "f32[2,16,4,4]");
  const Value moved = t.Op("tw.transpose", {x}, {{"permutation", Ints{0, 2, 3, 1}}});
  const Value last = t.Op("tw.conv", {moved, t.Weight({3, 3, 3, 16})},
                          {{"strides", Ints{2, 2}}, {"padding", Text("SAME")}});
  EXPECT_EQ(t.ShapeOf(last), "f32[2,4,4,16]");
  const TracedStep step = t.Finished({.results = {y, last}});
  EXPECT_EQ(step.counts.macs, 2 * 16 * 27 * 16);
  EXPECT_EQ(Count(step.graph, OpKind::kTranspose), 1);
}

TEST(Tracer, PutsTheBodyOfALoopInTheGraphOnce) {
  Trace t;
  const Value x = t.Input({4, 6}), w = t.Weight({6, 6});
  auto inside = t.tracer().BeginLoop(5, {x});
  ASSERT_TRUE(inside.ok()) << inside.status();
  const Value y = t.Op("tw.matmul", {(*inside)[1], w});
  const Value rows = Valid(t.tracer().StackRows(y));
  t.tracer().EndLoop();
  EXPECT_EQ(t.ShapeOf(rows), "f32[5,4,6]");
  const TracedStep step = t.Finished({.results = {y, rows}});
  EXPECT_EQ(Find(step.graph, OpKind::kDot)->loop.trip_count, 5);
  EXPECT_EQ(step.counts.macs, 5 * 36);
  EXPECT_EQ(step.batch, 4);
}

}  // namespace
}  // namespace tilewise::program
