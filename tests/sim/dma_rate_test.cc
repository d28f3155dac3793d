// Rates of DMA: long, short-rowed and mixed transfers, and published copies.

#include "sim/lowering/kernels/dma_rate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/kernel_time.h"

namespace tilewise {
namespace {

Kernel Moving(int64_t read, int64_t written, int64_t steps = 1) {
  Kernel kernel;
  kernel.kind = KernelKind::kCopy;
  kernel.hbm_read = {read};
  kernel.hbm_write = {written};
  kernel.windows.steps = steps;
  kernel.windows.buffers = steps > 1 ? 2 : 1;
  kernel.windows.read_per_step = {read / steps};
  kernel.windows.write_per_step = {written / steps};
  return kernel;
}

TEST(DmaRate, LosesToTheGranuleOfShortRows) {
  const Chip chip = *FindChip("v4");
  Kernel kernel = Moving(1 << 20, 0);
  const double full = DmaRate(kernel, chip);
  EXPECT_DOUBLE_EQ(full, StreamRate(chip, 0));
  kernel.dma_row_efficiency = 0.25;
  EXPECT_DOUBLE_EQ(DmaRate(kernel, chip), full / 4);
}

TEST(DmaRate, LosesToOpenedRowsWhereTheGranuleIsSmall) {
  Chip chip = *FindChip("v4");
  chip.dma_min_row_bytes = 64;
  Kernel kernel = Moving(1 << 20, 0);
  kernel.dma_row_efficiency = 0.5;
  EXPECT_LT(DmaRate(kernel, chip), StreamRate(chip, 0) / 2);
}

TEST(MixingFactor, IsOneForOneDirection) {
  const Chip chip = *FindChip("v6e");
  EXPECT_EQ(MixingFactor(1 << 20, 0, chip), 1);
  EXPECT_EQ(MixingFactor(0, 1 << 20, chip), 1);
  const double both = MixingFactor(1 << 20, 1 << 20, chip);
  EXPECT_GT(both, 1.05);
  EXPECT_LT(MixingFactor(3 << 20, 1 << 20, chip), both);
}

// Microseconds.
double CopyTime(const char* name, int64_t bytes, int64_t steps) {
  return 1e6 * TimeKernel(Moving(bytes, bytes, steps), *FindChip(name)).duration.value;
}

MATCHER_P2(Within, share, expected, "") {
  *result_listener << "which is off by a factor of " << arg / expected;
  return arg > expected * (1 - share) && arg < expected * (1 + share);
}

// Ironwood and Trillium microbenchmarks. The 2 MiB copy (3.04 us) is no case
// here: it is 17 % above what the 4 MiB copy leaves for it.
TEST(PublishedCopy, TakesItsTime) {
  EXPECT_THAT(CopyTime("v7x", 4 << 20, 1), Within(0.03, 3.73));
  EXPECT_THAT(CopyTime("v7x", 256 << 20, 35), Within(0.03, 169.51));
  EXPECT_THAT(CopyTime("v7x", int64_t{8} << 30, 1093), Within(0.01, 5351.18));
  EXPECT_THAT(CopyTime("v6e", 32 << 20, 6), Within(0.07, 49.36));
}

// tpu-v4-copy: from HBM to CMEM.
TEST(PublishedCopy, IntoOnChipMemory) {
  const Chip v4 = *FindChip("v4");
  EXPECT_THAT(1e6 * CopyInTime({8 << 20}, v4).value, Within(0.04, 8.7443));
}

}  // namespace
}  // namespace tilewise
