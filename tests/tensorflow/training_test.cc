// Graphs that have their gradients and updates already.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tensorflow/graph_text.h"

namespace tilewise::tf {
namespace {

using testing::HasSubstr;

const char* const kFloat = "type: DT_FLOAT";

std::string Step(bool update) {
  std::string text = Input("x", {-1, 4}) + Variable("w", {4, 2}) +
                     Node("r", "ReadVariableOp", {"w"}, Attr("dtype", kFloat)) +
                     Node("y", "MatMul", {"x", "r"}, Attr("T", kFloat)) +
                     Node("gradients/dw", "MatMul", {"x", "y"},
                          Attr("T", kFloat) + Attr("transpose_a", "b: true")) +
                     Node("rate", "Const", {},
                          Attr("dtype", kFloat) + Attr("value",
                                                       "tensor { dtype: DT_FLOAT tensor_shape {} "
                                                       "float_val: 0.1 }"));
  if (update) {
    text += Node("update", "ResourceApplyGradientDescent", {"w", "rate", "gradients/dw"},
                 Attr("T", kFloat));
  }
  return text;
}

TEST(Training, UpdatesOfVariablesMakeAStep) {
  const auto workload = ReadText(Step(true));
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(workload->step, StepKind::kTrainingStep);
  ASSERT_TRUE(workload->graph.has_value());
  ASSERT_EQ(workload->graph->outputs().size(), 1);
  const Output& output = workload->graph->outputs()[0];
  EXPECT_EQ(output.role, Output::Role::kState);
  EXPECT_EQ(workload->graph->op(output.variable).name, "w");
  EXPECT_THAT(LinesOf(*workload), HasSubstr("gradients/dw/dot"));
}

TEST(Training, GraphsWithoutUpdatesAreInference) {
  const auto workload = ReadText(Step(false));
  ASSERT_TRUE(workload.ok()) << workload.status();
  EXPECT_EQ(workload->step, StepKind::kInference);
}

TEST(Training, OpsHaveTheirPhase) {
  const auto workload = ReadText(Step(true));
  ASSERT_TRUE(workload.ok()) << workload.status();
  for (const Op& op : workload->graph->ops()) {
    if (op.location.item == "gradients/dw") {
      EXPECT_EQ(op.phase, Phase::kBackward) << op.name;
    }
    if (op.location.item == "y") {
      EXPECT_EQ(op.phase, Phase::kForward) << op.name;
    }
  }
}

}  // namespace
}  // namespace tilewise::tf
