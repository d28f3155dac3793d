// The device simulation: what must hold on any program, and published times.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "estimator/estimate.h"
#include "sim/simulate.h"
#include "tests/sim/matmul_program.h"

namespace tilewise {
namespace {

Target TargetOf(std::string_view chip) {
  absl::StatusOr<Target> target = MakeTarget(chip, 0, "");
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

class AnyProgram : public ::testing::TestWithParam<uint32_t> {
 protected:
  Program program_ = RandomProgram(GetParam());
};

TEST_P(AnyProgram, IsNeverFasterThanTheEstimate) {
  for (const std::string& chip : ChipNames()) {
    const Target target = TargetOf(chip);
    const Timeline timeline = SimulateStep(program_, target);
    const Estimate estimate = EstimateProgram(program_, target);
    ASSERT_EQ(timeline.spans.size(), estimate.kernels.size());
    for (size_t i = 0; i < timeline.spans.size(); ++i) {
      EXPECT_GE(timeline.spans[i].duration.value * (1 + 1e-9), estimate.kernels[i].total.value)
          << chip << " kernel " << i;
    }
    EXPECT_GE(timeline.step.value * (1 + 1e-9), estimate.step.value) << chip;
  }
}

TEST_P(AnyProgram, GetsNoSlowerOnABetterChip) {
  const Target target = TargetOf("v3");
  const Seconds base = SimulateStep(program_, target).step;
  Target better[5] = {target, target, target, target, target};
  better[0].chip.hbm_bandwidth.value *= 1.5;
  better[1].chip.mxus += 1;
  better[2].chip.clock_hz *= 1.25;
  better[3].chip.ici_link_bandwidth.value *= 2;
  better[4].chip.vector_alu_slots *= 2;
  for (const Target& candidate : better) {
    EXPECT_LE(SimulateStep(program_, candidate).step.value, base.value * (1 + 1e-9));
  }
}

TEST_P(AnyProgram, SplitsEachKernelIntoItsParts) {
  const Timeline timeline = SimulateStep(program_, TargetOf("v5e"));
  for (const KernelSpan& span : timeline.spans) {
    EXPECT_LE((span.exposed_memory + span.overhead).value, span.duration.value * (1 + 1e-9));
    EXPECT_LE(span.mxu_busy.value, span.duration.value);
    EXPECT_LE(span.dma_busy.value, span.duration.value * (1 + 1e-9));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, AnyProgram, ::testing::Range(0u, 40u));

TEST(SimulateStep, NeverExceedsPeakOnAlignedMatmuls) {
  for (const std::string& name : ChipNames()) {
    const Target target = TargetOf(name);
    for (const int64_t n : {256, 1024, 4096, 16384}) {
      const Program program = MatmulProgram(n, n, n, target.chip);
      const double use = SimulateStep(program, target).mxu_use;
      EXPECT_GT(use, 0) << name;
      EXPECT_LE(use, target.chip.matmul_efficiency) << name << " " << n;
    }
  }
}

TEST(SimulateStep, RunsACollectiveBesideKernelsThatDoNotReadIt) {
  const Target target = TargetOf("v3");
  Program program = MatmulProgram(4096, 4096, 4096, target.chip);
  Kernel reduce;
  reduce.kind = KernelKind::kCollective;
  reduce.collective_bytes = {10'000'000};
  reduce.participants = 8;
  reduce.outputs = {7};
  program.kernels.insert(program.kernels.begin(), reduce);
  const Seconds in_order = SimulateStep(program, target).step;
  program.kernels[0].overlappable = true;
  const Seconds beside = SimulateStep(program, target).step;
  EXPECT_LT(beside.value, in_order.value);
  program.kernels[1].inputs = {7};
  EXPECT_DOUBLE_EQ(SimulateStep(program, target).step.value, in_order.value);
}

double Milliseconds(std::string_view chip, int64_t m, int64_t k, int64_t n) {
  const Target target = TargetOf(chip);
  return 1e3 * SimulateStep(MatmulProgram(m, k, n, target.chip), target).step.value;
}

MATCHER_P(WithinShare, expected, "is within 15 %") {
  *result_listener << "which is off by a factor of " << arg / expected;
  return arg > expected * 0.85 && arg < expected * 1.15;
}

// JAX scaling book, profiling chapter.
TEST(PublishedMatmul, V2FeedForwardLayer) {
  EXPECT_THAT(Milliseconds("v2", 8192, 8192, 16384), WithinShare(96.0));
}

// JAX Pallas matmul notebook, less 0.105 ms of launch.
TEST(PublishedMatmul, V5e) {
  EXPECT_THAT(Milliseconds("v5e", 4096, 4096, 4096), WithinShare(0.722));
  EXPECT_THAT(Milliseconds("v5e", 8192, 8192, 8192), WithinShare(5.94));
}

// tpu-recipes microbenchmarks: 1.458 ms less 0.129 ms of dispatch.
TEST(PublishedMatmul, V6e) {
  EXPECT_THAT(Milliseconds("v6e", 8192, 8192, 8192), WithinShare(1.329));
}

// Ironwood microbenchmarks, device time.
TEST(PublishedMatmul, V7x) {
  EXPECT_THAT(Milliseconds("v7x", 128, 128, 128), WithinShare(0.00162));
  EXPECT_THAT(Milliseconds("v7x", 4096, 4096, 4096), WithinShare(0.1539));
  EXPECT_THAT(Milliseconds("v7x", 16384, 16384, 16384), WithinShare(9.258));
}

}  // namespace
}  // namespace tilewise
