// Composite ops and what replaces them compute the same.

#include "tests/lowering/step_graphs.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

int64_t Composites(const Graph& graph) {
  int64_t count = 0;
  for (const Op& op : graph.ops()) {
    count += ClassOf(op.kind) == OpClass::kComposite ? 1 : 0;
  }
  return count;
}

Graph CheckedDecomposition(const std::string& body) {
  const Graph before = ParsedGraph(body + "\noutput result y");
  const Graph after = After(RunDecompose, before);
  EXPECT_EQ(Composites(after), 0);
  ExpectSameValues(before, after, 5);
  return after;
}

TEST(Decompose, SoftmaxSubtractsTheMaximum) {
  const Graph graph =
      CheckedDecomposition("x = f32[2,3,4] parameter()\ny = f32[2,3,4] softmax(x), dims={1}");
  EXPECT_EQ(CountKind(graph, OpKind::kReduce), 2);
  EXPECT_EQ(CountKind(graph, OpKind::kExp), 1);
}

TEST(Decompose, CrossEntropyOfIdsComparesWithEveryClass) {
  const Graph graph = CheckedDecomposition(
      "x = f32[3,4] parameter()\nl = s32[3] parameter()\n"
      "y = f32[3] softmax-cross-entropy(x, l)");
  EXPECT_EQ(CountKind(graph, OpKind::kIota), 1);
}

TEST(Decompose, CrossEntropyOfRows) {
  CheckedDecomposition(
      "x = f32[3,4] parameter()\nl = f32[3,4] parameter()\n"
      "y = f32[3] softmax-cross-entropy(x, l)");
}

TEST(Decompose, BatchNormTakesBothSumsFromTheSameInput) {
  const Graph graph = CheckedDecomposition(
      "x = f32[2,3,4] parameter()\ns = f32[4] variable()\n"
      "o = f32[4] variable()\n"
      "y = f32[2,3,4] batch-norm-training(x, s, o), dims={2}, epsilon=0.01");
  EXPECT_EQ(CountKind(graph, OpKind::kReduce), 2);
}

TEST(Decompose, StatisticsOfNarrowFloatsAreF32) {
  const Graph graph = CheckedDecomposition(
      "x = bf16[2,3,4] parameter()\ns = bf16[4] variable()\n"
      "o = bf16[4] variable()\n"
      "y = bf16[2,3,4] batch-norm-training(x, s, o), dims={2}, epsilon=0.01");
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kReduce) continue;
    EXPECT_EQ(op.shape.dtype, DType::kF32);
  }
}

TEST(Decompose, BatchNormInference) {
  CheckedDecomposition(
      "x = f32[2,3,4] parameter()\ns = f32[3] variable()\n"
      "o = f32[3] variable()\nm = f32[3] variable()\nv = f32[3] variable()\n"
      "y = f32[2,3,4] batch-norm-inference(x, s, o, m, v), dims={1}, "
      "epsilon=2");
}

TEST(Decompose, LayerNorm) {
  CheckedDecomposition(
      "x = f32[2,3,4] parameter()\ns = f32[3,4] variable()\n"
      "o = f32[3,4] variable()\n"
      "y = f32[2,3,4] layer-norm(x, s, o), dims={1,2}, epsilon=0.01");
}

TEST(Decompose, BothFormsOfGelu) {
  CheckedDecomposition("x = f32[2,3] parameter()\ny = f32[2,3] gelu(x)");
  CheckedDecomposition("x = f32[2,3] parameter()\ny = f32[2,3] gelu(x), approximate=true");
}

TEST(Decompose, KeepsPhaseAndOrigin) {
  const Graph before = ParsedGraph(
      "x = f32[2,3] parameter()\n"
      "y = f32[2,3] softmax(x), dims={1}, phase=backward, origin=0\n"
      "output result y");
  const Graph after = After(RunDecompose, before);
  for (const Op& op : after.ops()) {
    if (op.kind == OpKind::kParameter) continue;
    EXPECT_EQ(op.phase, Phase::kBackward) << op.name;
    EXPECT_EQ(op.origin, 0) << op.name;
  }
}

class DecomposedStep : public testing::TestWithParam<int> {};

TEST_P(DecomposedStep, KeepsItsOutputs) {
  const auto seed = static_cast<uint32_t>(GetParam());
  const Graph forward = reference::RandomClassifier(seed, 6).Bind(2);
  const Graph before = Expanded(forward, SpecOf(LossKind::kSoftmaxCrossEntropy));
  const Graph after = After(RunDecompose, before);
  EXPECT_EQ(Composites(after), 0);
  ExpectSameValues(before, after, seed);
}

INSTANTIATE_TEST_SUITE_P(Seeds, DecomposedStep, testing::Range(0, 40));

}  // namespace
}  // namespace tilewise
