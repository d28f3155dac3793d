// One kernel whose array waits for converted operands.

#include "sim/kernel_time.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

Chip SimpleChip() {
  Chip chip;
  chip.clock_hz = 1e9;
  chip.mxus = 1;
  chip.hbm_bandwidth = {1e9};
  chip.vector_alu_slots = 1;
  return chip;
}

// 10 us of the array, 8 us of the vector unit.
Kernel Product() {
  Kernel kernel;
  kernel.kind = KernelKind::kMatrix;
  kernel.matrix.weight_tiles = 10;
  kernel.matrix.rows_per_tile = 1000;
  kernel.vector.alu = 8000;
  return kernel;
}

TEST(TimeKernel, VectorWorkHidesBehindTheArray) {
  EXPECT_NEAR(TimeKernel(Product(), SimpleChip()).duration.value, 10e-6, 1e-12);
}

TEST(TimeKernel, ArrayWaitsForConvertedOperands) {
  Kernel kernel = Product();
  kernel.matrix.feed_alu = 6000;
  EXPECT_NEAR(TimeKernel(kernel, SimpleChip()).duration.value, 8e-6 + 0.3 * 10e-6, 1e-12);
  kernel.vector.alu = kernel.matrix.feed_alu = 100;
  EXPECT_NEAR(TimeKernel(kernel, SimpleChip()).duration.value, 10e-6, 1e-12);
}

TEST(TimeKernel, TheBusiestCoreSetsTheTime) {
  Kernel kernel = Product();
  kernel.matrix.busiest_core = 1.5;
  EXPECT_NEAR(TimeKernel(kernel, SimpleChip()).duration.value, 15e-6, 1e-12);
}

TEST(TimeKernel, FirstWindowsAreLoadedBeforeAnyWork) {
  Kernel kernel = Product();
  kernel.hbm_read = {4000};
  kernel.windows.steps = 4;
  const double even = TimeKernel(kernel, SimpleChip()).duration.value;
  kernel.windows.first_read = {2500};  // what comes after it hides
  const double first = TimeKernel(kernel, SimpleChip()).duration.value;
  EXPECT_NEAR(even, 11e-6, 1e-12);
  EXPECT_NEAR(first, 12.5e-6, 1e-12);
}

TEST(TimeKernel, TheLastWindowIsStoredAfterAllWork) {
  Kernel kernel = Product();
  kernel.hbm_write = {2000};
  kernel.windows.steps = 4;
  kernel.windows.last_write = {2000};
  EXPECT_NEAR(TimeKernel(kernel, SimpleChip()).duration.value, 12e-6, 1e-12);
}

TEST(TimeKernel, ASecondMemoryDeliversBesideHbm) {
  Chip chip = SimpleChip();
  chip.cmem = {1 << 20};
  chip.cmem_bandwidth = {4e9};
  Kernel kernel = Product();
  kernel.hbm_read = {80000};  // longer than all work
  const double from_hbm = TimeKernel(kernel, chip).duration.value;
  kernel.on_chip_read = {60000};
  EXPECT_NEAR(from_hbm - TimeKernel(kernel, chip).duration.value, 60e-6, 1e-12);
}

}  // namespace
}  // namespace tilewise
