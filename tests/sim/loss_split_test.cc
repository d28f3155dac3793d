// The parts that a time is split into add up to it, and each cause of loss is
// found where it was put.

#include "sim/loss_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/kernel_time.h"
#include "sim/simulate.h"
#include "tests/sim/lowered_program.h"
#include "tests/sim/matmul_program.h"

namespace tilewise {
namespace {

constexpr double kRounding = 1e-12;

void ExpectParts(const LossSplit& split, Seconds time, const std::string& of) {
  EXPECT_NEAR(split.total().value, time.value, time.value * kRounding) << of;
  for (const LossPart& part : kLossParts) {
    EXPECT_GE((split.*part.seconds).value, -time.value * kRounding) << of << " " << part.name;
  }
}

void ExpectSplitOf(const Program& program, const Target& target) {
  const Timeline timeline = SimulateStep(program, target);
  for (const KernelSpan& span : timeline.spans) {
    const Kernel& kernel = program.kernels[span.kernel];
    const LossSplit split = SplitKernel(kernel, span, target.chip);
    ExpectParts(split, span.duration, kernel.name);
  }
  const LossSplit step = SplitStep(program, timeline, target.chip);
  ExpectParts(step, timeline.step, "step");
  EXPECT_NEAR(step.collective.value, timeline.exposed_collective.value, timeline.step.value * 1e-9);
  EXPECT_NEAR(step.useful.value, timeline.useful_flops / target.chip.peak_flops(),
              timeline.step.value * 1e-9);
}

TEST(LossSplit, AddsUpOnRandomPrograms) {
  for (const std::string& chip : ChipNames()) {
    const Target target = FoundTarget(chip);
    for (uint32_t seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE(chip + " seed " + std::to_string(seed));
      ExpectSplitOf(RandomProgram(seed), target);
    }
  }
}

TEST(LossSplit, AddsUpOnRandomModels) {
  for (const std::string& chip : ChipNames()) {
    const Target target = FoundTarget(chip);
    for (uint32_t seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(chip + " seed " + std::to_string(seed));
      LowerOptions options;
      options.training = seed % 2 == 0;
      const Graph graph = reference::RandomClassifier(seed, 10);
      ExpectSplitOf(LoweredProgram(graph, 24, target, options), target);
    }
  }
}

TEST(LossSplit, AddsUpOnAMesh) {
  Mesh mesh;
  mesh.fsdp = 4;
  const Target target = FoundTarget("v5e", 8, mesh);
  for (uint32_t seed = 0; seed < 4; ++seed) {
    const Graph graph = reference::RandomClassifier(seed, 10);
    ExpectSplitOf(LoweredProgram(graph, 16, target, {}), target);
  }
}

// One kernel on a chip with round numbers.
class OneKernel : public ::testing::Test {
 protected:
  LossSplit Split() const { return SplitKernel(kernel_, TimeKernel(kernel_, chip_), chip_); }
  void SetMatrix(int64_t tiles, int64_t rows, double useful_share) {
    MatrixWork& matrix = kernel_.matrix;
    matrix.weight_tiles = tiles;
    matrix.rows_per_tile = rows;
    matrix.padded_flops = 2.0 * static_cast<double>(tiles * rows) *
                          static_cast<double>(chip_.mxu_side * chip_.mxu_side);
    matrix.useful_flops = matrix.padded_flops * useful_share;
  }

  Chip chip_ = [] {
    Chip chip = FoundTarget("v3").chip;
    chip.matmul_efficiency = 1;
    return chip;
  }();
  Kernel kernel_;
};

TEST_F(OneKernel, OfFullTilesIsUsefulButForItsFixedTime) {
  SetMatrix(chip_.mxus * 8, 4096, 1);
  const LossSplit split = Split();
  EXPECT_NEAR(split.padding.value, 0, split.useful.value * 1e-9);
  EXPECT_EQ(split.weight_latch, Seconds{});
  EXPECT_NEAR((split.total() - split.useful).value,
              (chip_.kernel_overhead.value + chip_.mxu_fill_cycles / chip_.clock_hz), 1e-12);
}

TEST_F(OneKernel, OfHalfFilledTilesLosesHalfToPadding) {
  SetMatrix(chip_.mxus * 8, 4096, 0.5);
  const LossSplit split = Split();
  EXPECT_NEAR(split.padding / split.useful, 1, 1e-6);
  EXPECT_EQ(LargestLoss(split).name, "MXU padding");
}

TEST_F(OneKernel, OfSixPassesIsUsefulForOneOfThem) {
  SetMatrix(chip_.mxus * 8, 4096, 1);
  kernel_.matrix.passes = 6;
  const LossSplit split = Split();
  EXPECT_NEAR(split.passes / split.useful, 5, 1e-6);
}

TEST_F(OneKernel, OfFewRowsWaitsForTheWeights) {
  SetMatrix(chip_.mxus * 1000, 8, 1);
  EXPECT_EQ(LargestLoss(Split()).name, "weight latch");
}

TEST_F(OneKernel, OfManyWindowsStallsOnHbm) {
  kernel_.hbm_read = {int64_t{1} << 30};
  kernel_.windows.steps = 1024;
  kernel_.windows.read_per_step = {int64_t{1} << 20};
  EXPECT_EQ(LargestLoss(Split()).name, "HBM stall");
}

TEST_F(OneKernel, OfOneWindowHasNothingBesideItsLoad) {
  kernel_.hbm_read = {int64_t{8} << 20};
  kernel_.windows.read_per_step = kernel_.hbm_read;
  const LossSplit split = Split();
  EXPECT_EQ(LargestLoss(split).name, "first load, last store");
  EXPECT_NEAR(split.memory_stall.value, 0, 1e-12);
}

TEST_F(OneKernel, OfVectorWorkAloneHasNoUsefulMxuTime) {
  kernel_.vector.alu = 1e8;
  const LossSplit split = Split();
  EXPECT_EQ(split.useful, Seconds{});
  EXPECT_EQ(LargestLoss(split).name, "vector work");
}

TEST(SplitWallStep, AddsWhatTheDeviceWaitsForTheHost) {
  LossSplit device;
  device.useful = {0.004};
  LoopTimeline loop;
  loop.device_step = {0.004};
  loop.step = {0.010};
  loop.exposed_host = {0.006};
  const LossSplit split = SplitWallStep(device, loop);
  EXPECT_DOUBLE_EQ(split.total().value, loop.step.value);
  EXPECT_EQ(LargestLoss(split).name, "host");
}

TEST(Roofline, IsTheLowerOfPeakAndBandwidth) {
  const Chip chip = FoundTarget("v4").chip;
  Kernel kernel;
  kernel.matrix.useful_flops = 1e9;
  kernel.hbm_read = {1'000'000'000};
  KernelSpan span;
  span.duration = {0.01};
  const Roofline low = RooflineOf(kernel, span, chip);
  EXPECT_DOUBLE_EQ(low.intensity, 1);
  EXPECT_DOUBLE_EQ(low.attainable, chip.hbm_bandwidth.value);
  EXPECT_DOUBLE_EQ(low.achieved, 1e11);
  EXPECT_NEAR(low.hbm_share, 1e11 / chip.hbm_bandwidth.value, 1e-12);
  kernel.matrix.useful_flops = 1e15;
  EXPECT_DOUBLE_EQ(RooflineOf(kernel, span, chip).attainable, chip.peak_flops());
}

TEST(Roofline, IsNeverExceededByASimulatedStep) {
  for (const std::string& name : ChipNames()) {
    const Target target = FoundTarget(name);
    const Program program = LoweredProgram(reference::RandomClassifier(3, 10), 64, target, {});
    for (const KernelSpan& span : SimulateStep(program, target).spans) {
      const Kernel& kernel = program.kernels[span.kernel];
      const Roofline roofline = RooflineOf(kernel, span, target.chip);
      EXPECT_LE(roofline.achieved, roofline.attainable * (1 + 1e-9));
      EXPECT_LE(roofline.hbm_share, 1 + 1e-9) << kernel.name;
    }
  }
}

}  // namespace
}  // namespace tilewise
