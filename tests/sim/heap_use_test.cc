// The simulator's memory does not grow with what it simulates: windows, tiles,
// iterations, bytes, steps.

#include "tests/sim/heap_use.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "sim/simulate.h"
#include "sim/systolic.h"

namespace tilewise {
namespace {

constexpr int64_t kFew = 1000;
constexpr int64_t kMany = 1'000'000'000;

HeapUse OfKernel(const Kernel& kernel) {
  Program program;
  program.kernels = {kernel};
  const Target target = *MakeTarget("v4", 4, "");
  Timeline timeline;
  const HeapUse use = HeapUseOf([&] { timeline = SimulateStep(program, target); });
  EXPECT_GT(timeline.step, Seconds{});
  return use;
}

Kernel WithWindows(int64_t steps) {
  Kernel kernel;
  kernel.hbm_read = {steps * 4096};
  kernel.hbm_write = {steps * 4096};
  kernel.vector.alu = static_cast<double>(steps);
  kernel.windows.steps = steps;
  return kernel;
}

Kernel WithTiles(int64_t tiles) {
  Kernel kernel;
  kernel.kind = KernelKind::kMatrix;
  kernel.matrix.weight_tiles = tiles;
  kernel.matrix.rows_per_tile = 1024;
  return kernel;
}

Kernel WithIterations(int64_t trips) {
  Kernel kernel = WithWindows(64);
  kernel.kind = KernelKind::kRecurrent;
  kernel.repeat = trips;
  return kernel;
}

TEST(HeapUseOf, SeesAllocationsAndTheirPeak) {
  const HeapUse use = HeapUseOf([] {
    for (int i = 0; i < 3; ++i) std::make_unique<std::vector<char>>(1000);
  });
  EXPECT_EQ(use.allocations, 6);
  EXPECT_GE(use.peak_bytes, 1000);
  EXPECT_LT(use.peak_bytes, 1200);
}

TEST(HeapUse, OfAStepIsThatOfAnyNumberOfWindows) {
  EXPECT_EQ(OfKernel(WithWindows(kFew)), OfKernel(WithWindows(kMany)));
}

TEST(HeapUse, OfAStepIsThatOfAnyNumberOfTiles) {
  EXPECT_EQ(OfKernel(WithTiles(kFew)), OfKernel(WithTiles(kMany)));
}

TEST(HeapUse, OfAStepIsThatOfAnyNumberOfIterations) {
  EXPECT_EQ(OfKernel(WithIterations(kFew)), OfKernel(WithIterations(kMany)));
}

TEST(HeapUse, OfTheLoopIsThatOfAnyNumberOfSteps) {
  const Target target = *MakeTarget("v2", 8, "");
  Timeline step;
  step.step = {1e-3};
  const auto use = [&](int64_t steps) {
    LoopInput input;
    input.step = &step;
    input.steps_per_epoch = steps;
    return HeapUseOf([&] { SimulateLoop(input, target); });
  };
  EXPECT_EQ(use(kFew), use(kMany));
}

TEST(HeapUse, OfABareArrayIsNothing) {
  const MatmulShape shape = {kMany, 1000, 1000};
  EXPECT_EQ(HeapUseOf([&] { (void)TimeOnArray(shape, {}, Dataflow::kWeight).ok(); }).allocations,
            0);
}

}  // namespace
}  // namespace tilewise
