// Steps that several cores share, lowered and simulated: what must hold on any
// mesh.

#include <algorithm>

#include <gtest/gtest.h>

#include "estimator/estimate.h"
#include "graph/text.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

// Four gated layers with residuals; scanned, each is an iteration of a loop.
Graph Layers(bool scan = false) {
  std::string text = "graph \"g\" {\n  x0 = bf16[N,1024] parameter()\n";
  for (int i = 1; i <= 4; ++i) {
    const auto line = [&](std::string name, const std::string& rest) {
      text += "  " + name + std::to_string(i) + " = " + rest;
      text += scan ? ", loop=" + std::to_string(i) + "\n" : "\n";
    };
    const std::string n = std::to_string(i);
    const std::string x = "x" + std::to_string(i - 1);
    line("u", "f32[1024,8192] variable()");
    line("ub", "bf16[1024,8192] convert(u" + n + ")");
    line("a", "bf16[N,8192] dot(" + x + ", ub" + n + "), lhs_contract={1}, rhs_contract={0}");
    line("t", "bf16[N,8192] tanh(a" + n + ")");
    line("d", "f32[8192,1024] variable()");
    line("db", "bf16[8192,1024] convert(d" + n + ")");
    line("y", "bf16[N,1024] dot(t" + n + ", db" + n + "), lhs_contract={1}, rhs_contract={0}");
    line("x", "bf16[N,1024] add(" + x + ", y" + n + ")");
  }
  auto graph = ParseGraph(text + "  output result x4\n}");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

Target TargetOf(std::string_view chip, const Mesh& mesh) {
  const auto target = MakeTarget(chip, 0, "", mesh);
  EXPECT_TRUE(target.ok()) << target.status();
  return target.ok() ? *target : Target();
}

Program LowerOn(const Target& target, int64_t batch = 2048, bool shard_update = false,
                bool scan = false) {
  LowerOptions options;
  options.spec.optimizer = OptimizerKind::kAdam;
  options.spec.loss = LossKind::kMeanSquaredError;
  options.shard_update = shard_update;
  auto program = Lower(Layers(scan), batch, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : Program();
}

// The step is its kernels and what is waited for between them.
void ExpectSplitsItsTime(const Program& program, const Timeline& timeline, std::string_view chip) {
  Seconds busy;
  for (const KernelSpan& span : timeline.spans) {
    const Kernel& kernel = program.kernels[span.kernel];
    if (kernel.kind != KernelKind::kCollective) busy += span.duration;
  }
  EXPECT_NEAR(timeline.step.value, busy.value + timeline.exposed_collective.value,
              1e-9 * timeline.step.value)
      << chip;
}

class AnyMesh : public testing::TestWithParam<Mesh> {};

TEST_P(AnyMesh, IsNeverFasterThanTheEstimateAndSplitsItsTime) {
  for (const std::string& chip : ChipNames()) {
    const Target target = TargetOf(chip, GetParam());
    const Program program = LowerOn(target);
    const Timeline timeline = SimulateStep(program, target);
    const Estimate estimate = EstimateProgram(program, target);
    EXPECT_GE(timeline.step.value * (1 + 1e-9), estimate.step.value) << chip;
    for (size_t i = 0; i < timeline.spans.size(); ++i) {
      EXPECT_GE(timeline.spans[i].duration.value * (1 + 1e-9), estimate.kernels[i].total.value)
          << chip << " " << program.kernels[i].name;
    }
    EXPECT_LE(timeline.exposed_collective.value, timeline.collective.value * (1 + 1e-9));
    ExpectSplitsItsTime(program, timeline, chip);
  }
}

TEST_P(AnyMesh, GetsNoSlowerWithBetterLinks) {
  const Target target = TargetOf("v5p", GetParam());
  const Program program = LowerOn(target);
  const Seconds base = SimulateStep(program, target).step;
  Target better = target;
  better.chip.ici_link_bandwidth.value *= 2;
  EXPECT_LE(SimulateStep(program, better).step, base);
  better = target;
  better.chip.ici_hop_latency = {};
  EXPECT_LE(SimulateStep(program, better).step, base);
  better = target;
  better.chip.dcn_bandwidth.value *= 2;
  EXPECT_LE(SimulateStep(program, better).step, base);
}

// No collective runs from one iteration into the next: what a layer needs first
// is waited for, and so is what it makes last.
TEST_P(AnyMesh, HidesLessWhereLayersAreScanned) {
  for (const std::string& chip : ChipNames()) {
    const Target target = TargetOf(chip, GetParam());
    const Timeline open = SimulateStep(LowerOn(target), target);
    const Program program = LowerOn(target, 2048, false, true);
    const Timeline timeline = SimulateStep(program, target);
    EXPECT_GE(timeline.step.value * (1 + 1e-9), open.step.value) << chip;
    EXPECT_GE(timeline.step.value * (1 + 1e-9), EstimateProgram(program, target).step.value);
    ExpectSplitsItsTime(program, timeline, chip);
  }
}

INSTANTIATE_TEST_SUITE_P(Products, AnyMesh,
                         testing::Values(Mesh{.data = 8}, Mesh{.data = 1, .fsdp = 8},
                                         Mesh{.data = 1, .fsdp = 1, .tensor = 8},
                                         Mesh{.data = 2, .fsdp = 16, .tensor = 4},
                                         Mesh{.data = 2, .stage = 4},
                                         Mesh{.data = 1, .stage = 2, .fsdp = 8, .microbatches = 8},
                                         Mesh{.data = 1, .stage = 2, .repeats = 2},
                                         Mesh{.data = 4, .fsdp = 8, .tensor = 2, .slices = 2}));

TEST(MeshStep, FsdpStoresAShareAndHidesItsGathers) {
  const Target one = TargetOf("v5p", {.data = 16});
  const Target target = TargetOf("v5p", {.data = 1, .fsdp = 16});
  const Program whole = LowerOn(one, 16384);
  const Program part = LowerOn(target, 16384);
  EXPECT_EQ(part.memory.variables * 16, whole.memory.variables);
  EXPECT_EQ(part.memory.optimizer_state * 16, whole.memory.optimizer_state);
  EXPECT_LT(part.memory.peak, whole.memory.peak);
  Seconds gathers;
  Seconds sums;
  const Timeline timeline = SimulateStep(part, target);
  for (const KernelSpan& span : timeline.spans) {
    const Kernel& kernel = part.kernels[span.kernel];
    if (kernel.kind != KernelKind::kCollective) continue;
    (kernel.overlappable ? gathers : sums) += span.duration;
  }
  EXPECT_GT(gathers, Seconds{});
  EXPECT_LT((timeline.exposed_collective - sums).value, 0.5 * gathers.value);
}

TEST(MeshStep, AShardedUpdateSavesOptimizerState) {
  const Target target = TargetOf("v5p", {.data = 16});
  const Program whole = LowerOn(target);
  const Program shared = LowerOn(target, 2048, true);
  EXPECT_EQ(shared.memory.optimizer_state * 16, whole.memory.optimizer_state);
  EXPECT_EQ(shared.memory.variables, whole.memory.variables);
}

TEST(MeshStep, TensorCoresShareTheFlops) {
  const Target one = TargetOf("v5p", {.data = 8});
  const Target target = TargetOf("v5p", {.data = 1, .tensor = 8});
  const double whole = SimulateStep(LowerOn(one), one).useful_flops;
  const double part = SimulateStep(LowerOn(target), target).useful_flops;
  EXPECT_NEAR(part * 8 / whole, 1, 1e-6);
}

// But for the gradient of the first layer's input, which no other stage makes.
TEST(MeshStep, StagesDoTheSameUsefulWorkAndWaitInTheirBubble) {
  const Target one = TargetOf("v5p", {.data = 8});
  const Timeline whole = SimulateStep(LowerOn(one, 32768), one);
  Seconds last;
  for (const int64_t microbatches : {16, 8, 4}) {
    const Target target = TargetOf("v5p", {.data = 2, .stage = 4, .microbatches = microbatches});
    const Program program = LowerOn(target, 32768);
    const Timeline timeline = SimulateStep(program, target);
    EXPECT_NEAR(timeline.useful_flops / whole.useful_flops, 1, 0.05) << microbatches;
    EXPECT_GT(timeline.step, last) << microbatches;
    EXPECT_EQ(program.batch_per_core, 32768);
    last = timeline.step;
  }
  EXPECT_GT(last, whole.step * 1.5);  // seven rounds of what four would be
}

TEST(MeshStep, TripsThroughGroupsOfLayersHaveASmallerBubble) {
  const Target plain = TargetOf("v5p", {.data = 2, .stage = 2, .microbatches = 4});
  Target circular = plain;
  circular.mesh.repeats = 2;
  const Program once = LowerOn(plain, 32768), twice = LowerOn(circular, 32768);
  EXPECT_EQ(once.memory.variables, twice.memory.variables);
  const Timeline slow = SimulateStep(once, plain), fast = SimulateStep(twice, circular);
  EXPECT_NEAR(fast.useful_flops / slow.useful_flops, 1, 0.05);
  EXPECT_LT(fast.step, slow.step);  // nine half rounds, not five whole ones
}

TEST(MeshStep, WeightsOfAStageAreNotSummedOverTheStages) {
  const Target target = TargetOf("v5p", {.data = 1, .stage = 4});
  for (const Kernel& kernel : LowerOn(target).kernels) {
    if (kernel.kind == KernelKind::kCollective) {
      EXPECT_EQ(kernel.collective, OpKind::kCollectivePermute);
    }
  }
}

Kernel Exchange(std::string_view axis, int64_t participants, OpKind kind) {
  Kernel kernel;
  kernel.kind = KernelKind::kCollective;
  kernel.collective = kind;
  kernel.mesh_axis = axis;
  kernel.participants = participants;
  kernel.collective_bytes = Bytes{int64_t{1} << 30};
  kernel.overlappable = kind == OpKind::kAllGather;
  return kernel;
}

// Of a gather along fsdp and then a sum along `axis`.
Timeline GatherAndSum(const Mesh& mesh, std::string_view axis, int64_t cores) {
  Program program;
  program.kernels = {Exchange("fsdp", mesh.fsdp, OpKind::kAllGather),
                     Exchange(axis, cores, OpKind::kReduceScatter)};
  return SimulateStep(program, TargetOf("v5p", mesh));
}

TEST(MeshStep, ExchangesDoNotDelayEachOtherOnAxesOfTheirOwn) {
  // 8 x 8 x 8: fsdp has two axes to itself.
  const Timeline timeline = GatherAndSum({.data = 1, .fsdp = 64, .tensor = 8}, "tensor", 8);
  const KernelSpan& gather = timeline.spans[0];
  const KernelSpan& sum = timeline.spans[1];
  EXPECT_EQ(sum.start, Seconds{});
  EXPECT_EQ(timeline.step, std::max(gather.duration, sum.duration));
  EXPECT_NEAR((gather.duration + sum.duration).value, timeline.collective.value, 1e-9);
}

TEST(MeshStep, AnExchangeThatTheCoreWaitsForGoesFirstOnTheLinksItShares) {
  // 4 x 4 x 4: both have a part of one axis.
  for (const std::string_view axis : {"tensor", "fsdp"}) {
    const Timeline timeline =
        GatherAndSum({.data = 1, .fsdp = 32, .tensor = 2}, axis, axis == "fsdp" ? 32 : 2);
    EXPECT_EQ(timeline.spans[1].start, Seconds{});
    // The gather ends when all is done.
    EXPECT_NEAR(timeline.step.value, timeline.collective.value, 1e-9);
    EXPECT_EQ(timeline.spans[0].duration + timeline.spans[0].start, timeline.step);
  }
}

TEST(MeshStep, SlicesCostTheNetwork) {
  const Target joined = TargetOf("v5p", {.data = 32});
  const Target apart = TargetOf("v5p", {.data = 32, .slices = 2});
  EXPECT_GT(SimulateStep(LowerOn(apart), apart).step, SimulateStep(LowerOn(joined), joined).step);
}

// A residual stream of positions, whose parts each product wants gathered.
Graph Positions() {
  auto graph = ParseGraph(R"(graph "g" {
  x = bf16[N,512,4096] parameter()
  u = bf16[4096,16384] variable()
  a = bf16[N,512,16384] dot(x, u), lhs_contract={2}, rhs_contract={0}
  d = bf16[16384,4096] variable()
  b = bf16[N,512,4096] dot(a, d), lhs_contract={2}, rhs_contract={0}
  y = bf16[N,512,4096] add(x, b)
  t = bf16[N,512,4096] tanh(y)
  v = bf16[4096,16384] variable()
  z = bf16[N,512,16384] dot(t, v), lhs_contract={2}, rhs_contract={0}
  output result z
})");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

TEST(GathersInPieces, HideBehindTheProductsThatWantThem) {
  const Target target = TargetOf("v5p", {.tensor = 4});
  LowerOptions options;
  options.spec.loss = LossKind::kMeanSquaredError;
  const auto whole = Lower(Positions(), 16, target, options);
  options.xla_flags.gathers_in_pieces = true;
  const auto pieces = Lower(Positions(), 16, target, options);
  ASSERT_TRUE(whole.ok() && pieces.ok());
  const Timeline before = SimulateStep(*whole, target);
  const Timeline after = SimulateStep(*pieces, target);
  // As much is exchanged; at least the gather for the last product is hidden.
  EXPECT_EQ(after.collective.value, before.collective.value);
  const Seconds hidden = before.exposed_collective - after.exposed_collective;
  const double bytes = 16 * 512 * 4096 * 2;
  EXPECT_GT(hidden.value, bytes / (6 * target.chip.ici_link_bandwidth.value));
  EXPECT_LT(after.step.value, before.step.value);
  EXPECT_GE(after.step.value * (1 + 1e-9), EstimateProgram(*pieces, target).step.value);
}

// Weights in parts over a whole slice: as a gather, and as a sum for which the core waits.
struct GatheredBoth {
  Timeline by_default, with_flag;
};

GatheredBoth GatheredOn(std::string_view chip, int64_t chips) {
  const Target target = TargetOf(chip, {.fsdp = chips});
  LowerOptions options;
  options.spec.loss = LossKind::kMeanSquaredError;
  const auto by_default = Lower(Positions(), 4, target, options);
  options.xla_flags.prefers_gathers = true;
  const auto with_flag = Lower(Positions(), 4, target, options);
  EXPECT_TRUE(by_default.ok() && with_flag.ok());
  EXPECT_GE(SimulateStep(*by_default, target).step.value * (1 + 1e-9),
            EstimateProgram(*by_default, target).step.value);
  return {SimulateStep(*by_default, target), SimulateStep(*with_flag, target)};
}

TEST(GathersBySum, AreWaitedForOnThreeClosedAxes) {
  const GatheredBoth cube = GatheredOn("v4", 64);
  EXPECT_GT(cube.by_default.exposed_collective, cube.with_flag.exposed_collective);
  EXPECT_GT(cube.by_default.collective, cube.with_flag.collective);
}

TEST(GathersBySum, AreNoneOnFewerClosedAxesNorWhereTheChipHasNone) {
  for (const auto& [chip, chips] : {std::pair("v4", 32), std::pair("v6e", 256)}) {
    const GatheredBoth alike = GatheredOn(chip, chips);
    EXPECT_EQ(alike.by_default.step, alike.with_flag.step) << chip;
  }
}

}  // namespace
}  // namespace tilewise
