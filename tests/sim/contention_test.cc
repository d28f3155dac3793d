// What collectives beside kernels take from HBM.

#include "sim/contention.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

Chip ChipWithBandwidth() {
  Chip chip;
  chip.hbm_bandwidth = {1e12};
  return chip;
}

KernelSpan Span(double start, double duration, double dma_busy) {
  KernelSpan span;
  span.start = {start};
  span.duration = {duration};
  span.dma_busy = {dma_busy};
  return span;
}

TEST(Contention, SlowsAKernelThatNeedsTheBandwidth) {
  Contention contention(ChipWithBandwidth());
  contention.Add({0}, {1}, {int64_t{400'000'000'000}});
  KernelSpan span = Span(0, 0.5, 0.5);
  contention.Slow(span);
  EXPECT_DOUBLE_EQ(span.duration.value, 0.7);
  EXPECT_DOUBLE_EQ(span.exposed_memory.value, 0.2);
  EXPECT_EQ(span.bound, Bound::kMemory);
}

TEST(Contention, LeavesAKernelThatWaitsForOtherUnits) {
  Contention contention(ChipWithBandwidth());
  contention.Add({0}, {1}, {int64_t{400'000'000'000}});
  KernelSpan span = Span(0, 0.5, 0.2);
  contention.Slow(span);
  EXPECT_DOUBLE_EQ(span.duration.value, 0.5);
}

TEST(Contention, CountsOnlyWhatRunsBesideTheKernel) {
  Contention contention(ChipWithBandwidth());
  contention.Add({0}, {1}, {int64_t{400'000'000'000}});
  KernelSpan half = Span(0.75, 0.5, 0.5);
  contention.Slow(half);
  EXPECT_DOUBLE_EQ(half.duration.value, 0.6);
  KernelSpan after = Span(1, 0.5, 0.5);
  contention.Slow(after);
  EXPECT_DOUBLE_EQ(after.duration.value, 0.5);
}

TEST(TrafficBeside, OfARingIsWrittenAndReadOnTheWay) {
  Kernel gather;
  gather.kind = KernelKind::kCollective;
  gather.collective = OpKind::kAllGather;
  gather.collective_bytes = {1000};
  EXPECT_EQ(TrafficBeside(gather).value, 2000);
  gather.collective = OpKind::kAllReduce;
  EXPECT_EQ(TrafficBeside(gather).value, 4000);
}

TEST(TrafficBeside, OfAHostCopyIsItsOneSide) {
  Kernel copy;
  copy.kind = KernelKind::kHostCopy;
  copy.hbm_write = {1000};
  EXPECT_EQ(TrafficBeside(copy).value, 1000);
}

}  // namespace
}  // namespace tilewise
