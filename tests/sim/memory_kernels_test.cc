// Kernels that are there because of the size of HBM: copies to and from host
// memory, and what runs again.

#include <gtest/gtest.h>

#include "estimator/estimate.h"
#include "graph/graph_builder.h"
#include "sim/loss_split.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

Graph Layers(int count) {
  GraphBuilder b("layers");
  const Dim features = {1024, false};
  OpId x = b.Parameter({DType::kF32, {BatchDim(), features}}, "x");
  const auto dense = [&](const std::string& name, OpId input) {
    b.SetScope(name);
    const Shape square(DType::kF32, {features, features});
    return b.MatMul(input, b.Variable(square, "w", true));
  };
  x = dense("first", x);
  for (int i = 0; i < count; ++i) {
    const std::string layer = "layer" + std::to_string(i);
    const OpId q = b.Reverse(dense(layer + "/query", x), {1});
    const OpId y = b.Unary(OpKind::kSine, q);
    x = b.Binary(OpKind::kAdd, x, dense(layer + "/output", y));
  }
  b.AddOutput(dense("last", x), Output::Role::kResult);
  return *b.Build();
}

Target SomeTarget() {
  auto target = MakeTarget("v6e", 4, "");
  EXPECT_TRUE(target.ok()) << target.status();
  return *std::move(target);
}

Program Lowered(const Target& target, std::string_view policy) {
  const auto parsed = ParseRematPolicy(policy);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  LowerOptions options;
  options.spec.loss = LossKind::kMeanSquaredError;
  options.spec.remat = parsed->base;
  options.spec.remat_tensors = parsed->tensors;
  auto program = Lower(Layers(6), 65536, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

TEST(HostCopy, RunsBesideTheKernelsUntilTheLinkIsTooSlow) {
  Target target = SomeTarget();
  const Program program = Lowered(target, "qkv_proj_offloaded");
  target.chip.host_link = {1e15};
  const Timeline fast = SimulateStep(program, target);
  target.chip.host_link = {1e9};
  const Timeline slow = SimulateStep(program, target);
  EXPECT_LT(fast.exposed_host_copy / fast.step, 0.01);
  EXPECT_GT(slow.exposed_host_copy / slow.step, 0.5);
  EXPECT_GT(slow.step, fast.step);
}

TEST(HostCopy, WaitsAreTheHostsShareOfTheLosses) {
  Target target = SomeTarget();
  const Program program = Lowered(target, "full,decoder_layer_input=offload,query_proj=offload");
  for (const double rate : {1e9, 16e9, 1e12}) {
    target.chip.host_link = {rate};
    const Timeline timeline = SimulateStep(program, target);
    const LossSplit split = SplitStep(program, timeline, target.chip);
    EXPECT_NEAR(split.total() / timeline.step, 1, 1e-9);
    EXPECT_NEAR(split.host.value, timeline.exposed_host_copy.value, 1e-12);
    EXPECT_LE(EstimateProgram(program, target).step, timeline.step);
  }
}

TEST(Rematerialisation, CostsTimeAndSavesMemory) {
  Target target = SomeTarget();
  const Program roomy = Lowered(target, "none");
  const Timeline before = SimulateStep(roomy, target);
  target.chip.hbm = target.chip.hbm_reserved + Bytes{roomy.memory.peak.value * 9 / 10};
  const Program tight = Lowered(target, "none");
  ASSERT_TRUE(tight.memory.fits());
  EXPECT_EQ(tight.memory.without_rematerialization, roomy.memory.peak);
  const Timeline after = SimulateStep(tight, target);
  EXPECT_GT(after.step, before.step);
  EXPECT_LE(EstimateProgram(tight, target).step, after.step);
}

}  // namespace
}  // namespace tilewise
