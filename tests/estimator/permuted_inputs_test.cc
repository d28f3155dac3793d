// The order in which a model names its inputs and variables means nothing: the
// same step, the same memory.

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

bool IsInput(const Op& op) { return op.kind == OpKind::kParameter || op.kind == OpKind::kVariable; }

// The same graph with its parameters and variables in front, in an order that
// the seed gives.
Graph WithPermutedInputs(const Graph& graph, uint32_t seed) {
  std::vector<OpId> order;
  for (const Op& op : graph.ops()) {
    if (IsInput(op)) order.push_back(op.id);
  }
  std::mt19937 random(seed);
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random() % i]);
  }
  for (const Op& op : graph.ops()) {
    if (!IsInput(op)) order.push_back(op.id);
  }
  GraphBuilder builder(graph.name());
  std::vector<OpId> new_id(order.size(), kNoOp);
  for (const OpId id : order) {
    std::vector<OpId> operands;
    for (const OpId operand : graph.op(id).operands) {
      operands.push_back(new_id[operand]);
    }
    new_id[id] = builder.Clone(graph.op(id), std::move(operands));
  }
  for (const Output& output : graph.outputs()) {
    builder.AddOutput(new_id[output.value], output.role);
  }
  absl::StatusOr<Graph> built = builder.Build();
  EXPECT_TRUE(built.ok()) << built.status();
  return *std::move(built);
}

struct Result {
  double step = 0;
  double useful_flops = 0;
  Bytes peak, variables, arguments;
  size_t kernels = 0;
};

Result ResultOf(const Graph& graph, const Target& target, bool training) {
  LowerOptions options;
  options.training = training;
  const absl::StatusOr<Program> program = Lower(graph, 64, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  const Timeline timeline = SimulateStep(*program, target);
  const Memory& memory = program->memory;
  return {timeline.step.value, timeline.useful_flops, memory.peak,
          memory.variables,    memory.arguments,      program->kernels.size()};
}

class PermutedInputs : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, PermutedInputs, testing::ValuesIn(ChipNames()),
                         [](const auto& param) { return param.param; });

TEST_P(PermutedInputs, ChangeNothing) {
  const Target target = *MakeTarget(GetParam(), 0, "");
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const Graph graph = reference::RandomClassifier(seed, 12);
    for (const bool training : {true, false}) {
      const Result expected = ResultOf(graph, target, training);
      for (uint32_t order = 1; order < 4; ++order) {
        const Result found = ResultOf(WithPermutedInputs(graph, order), target, training);
        const std::string what = "seed " + std::to_string(seed) + " order " + std::to_string(order);
        EXPECT_NEAR(found.step / expected.step, 1, 1e-12) << what;
        EXPECT_EQ(found.useful_flops, expected.useful_flops) << what;
        EXPECT_EQ(found.peak, expected.peak) << what;
        EXPECT_EQ(found.variables, expected.variables) << what;
        EXPECT_EQ(found.arguments, expected.arguments) << what;
        EXPECT_EQ(found.kernels, expected.kernels) << what;
      }
    }
  }
}

}  // namespace
}  // namespace tilewise
