// Where gradients are summed over the cores.

#include "tests/lowering/step_graphs.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

Graph TwoLayers() {
  return ParsedGraph(
      "x = f32[2,3] parameter()\nw = f32[3,4] variable()\n"
      "h = f32[2,4] dot(x, w), lhs_contract={1}, rhs_contract={0}\n"
      "b = f32[4] variable()\nbb = f32[2,4] broadcast(b), dims={1}\n"
      "y = f32[2,4] add(h, bb)\noutput result y");
}

Graph Step(OptimizerKind optimizer) {
  const Graph expanded = Expanded(TwoLayers(), SpecOf(LossKind::kMeanSquaredError, optimizer));
  return After(RunSimplify, After(RunDecompose, expanded));
}

TEST(Partition, SumsEachGradientOnce) {
  for (const auto optimizer :
       {OptimizerKind::kSgd, OptimizerKind::kMomentum, OptimizerKind::kAdam, OptimizerKind::kLars,
        OptimizerKind::kLamb, OptimizerKind::kAdafactorMomentum}) {
    const Graph step = After(RunPartition, Step(optimizer), 8);
    EXPECT_EQ(CountKind(step, OpKind::kAllReduce), 2) << OptimizerName(optimizer);
  }
}

TEST(Partition, LeavesNoUpdateThatSeesOneCoresGradient) {
  const Graph step = After(RunPartition, Step(OptimizerKind::kAdam), 8);
  for (const Op& op : step.ops()) {
    if (op.phase != Phase::kUpdate) continue;
    for (const OpId id : op.operands) {
      const Op& operand = step.op(id);
      const bool fine = operand.phase == Phase::kUpdate || operand.operands.empty() ||
                        operand.kind == OpKind::kAllReduce;
      EXPECT_TRUE(fine) << op.name << " uses " << operand.name;
    }
  }
}

TEST(Partition, GivesTheSumTheOriginOfTheGradient) {
  const Graph step = After(RunPartition, Step(OptimizerKind::kSgd), 8);
  for (const Op& op : step.ops()) {
    if (op.kind != OpKind::kAllReduce) continue;
    EXPECT_EQ(op.phase, Phase::kBackward);
    EXPECT_EQ(op.origin, step.operand(op, 0).origin);
  }
}

TEST(Partition, DoesNothingOnOneCore) {
  const Graph step = Step(OptimizerKind::kSgd);
  EXPECT_EQ(PrintGraph(After(RunPartition, step, 1)), PrintGraph(step));
}

// Each core contributes its share of the mean over the global batch.
TEST(Partition, DividesTheLossByTheCoresBeforeTheSum) {
  TrainingSpec spec = SpecOf(LossKind::kMeanSquaredError);
  spec.learning_rate = 1;
  const auto one = ExpandTraining(TwoLayers(), spec, 1);
  const auto eight = ExpandTraining(TwoLayers(), spec, 8);
  const auto leaves = reference::RandomLeaves(*one, 1);
  const auto whole = reference::Evaluate(*one, leaves);
  const auto share = reference::Evaluate(*eight, leaves);
  const double w = leaves.at("w").data[0];
  EXPECT_NEAR(w - whole[1].data[0], 8 * (w - share[1].data[0]), 1e-12);
}

class PartitionedStep : public testing::TestWithParam<int> {};

TEST_P(PartitionedStep, KeepsItsOutputsAndSumsGradients) {
  const auto seed = static_cast<uint32_t>(GetParam());
  const Graph forward = reference::RandomClassifier(seed, 6, 3, seed % 2 == 1).Bind(2);
  const Graph before =
      After(RunDecompose, Expanded(forward, SpecOf(LossKind::kSoftmaxCrossEntropy)));
  const Graph after = After(RunPartition, before, 8);
  EXPECT_GT(CountKind(after, OpKind::kAllReduce), 0);
  ExpectSameValues(before, after, seed);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PartitionedStep, testing::Range(0, 20));

}  // namespace
}  // namespace tilewise
