// Neither programs nor timelines grow with the cycles that they stand for.

#include <gtest/gtest.h>

#include "graph/text.h"
#include "sim/simulate.h"
#include "tests/sim/lowered_program.h"

namespace tilewise {
namespace {

constexpr std::string_view kNetwork = R"(graph "convolutional" {
  x = f32[N,32,32,16] parameter()
  k = f32[3,3,16,64] variable()
  c = f32[N,32,32,64] convolution(x, k), window={size=3x3 pad=1_1x1_1}
  a = f32[N,32,32,64] tanh(c)
  s = f32[N,64] reduce(a), dims={1,2}, reducer=sum
  w = f32[64,10] variable()
  y = f32[N,10] dot(s, w), lhs_contract={1}, rhs_contract={0}
  output result y
})";

TEST(ProgramSize, DoesNotDependOnTheBatch) {
  const auto graph = ParseGraph(kNetwork);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const Target target = FoundTarget("v5p");
  LowerOptions options;
  options.spec.loss = LossKind::kMeanSquaredError;
  const Program small = LoweredProgram(*graph, 128, target, options);
  const Program large = LoweredProgram(*graph, 16384, target, options);
  const Timeline few = SimulateStep(small, target);
  const Timeline many = SimulateStep(large, target);
  EXPECT_GT(many.step, 50 * few.step);
  EXPECT_EQ(large.kernels.size(), small.kernels.size());
  EXPECT_EQ(large.buffers.size(), small.buffers.size());
  EXPECT_EQ(large.graph.size(), small.graph.size());
  EXPECT_EQ(many.spans.size(), few.spans.size());
  int64_t steps = 0, more_steps = 0;
  for (const Kernel& kernel : small.kernels) steps += kernel.windows.steps;
  for (const Kernel& kernel : large.kernels) more_steps += kernel.windows.steps;
  EXPECT_GT(more_steps, 10 * steps);
}

}  // namespace
}  // namespace tilewise
