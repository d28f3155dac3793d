// The closed form by which windows are chosen, against the windows one by one.

#include "sim/lowering/tile_selection/window_time.h"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/kernel_time.h"

namespace tilewise {
namespace {

class WindowTimes : public testing::TestWithParam<std::string> {
 protected:
  const Chip chip_ = *FindChip(GetParam());
};

INSTANTIATE_TEST_SUITE_P(All, WindowTimes, testing::ValuesIn(ChipNames()),
                         [](const auto& param) { return param.param; });

// With loads and stores from nothing to 64 MiB, work from none to some times
// as long, and a part of the traffic on-chip.
Kernel RandomKernel(std::mt19937& random, int64_t steps) {
  const auto below = [&](int64_t limit) {
    return std::uniform_int_distribution<int64_t>(0, limit)(random);
  };
  const auto some = [&](int64_t limit) { return below(3) == 0 ? 0 : below(limit); };
  Kernel kernel;
  kernel.kind = KernelKind::kMatrix;
  kernel.hbm_read = {some(64 << 20) + steps};
  kernel.hbm_write = {some(64 << 20) + steps};
  kernel.vector.alu = static_cast<double>(some(400000));
  kernel.matrix.weight_tiles = some(4096);
  kernel.matrix.rows_per_tile = 8 * (1 + below(512));
  Windows& windows = kernel.windows;
  windows.steps = steps;
  windows.buffers = steps > 1 ? 2 : 1;
  windows.read_per_step = {kernel.hbm_read.value / steps};
  windows.write_per_step = {kernel.hbm_write.value / steps};
  windows.first_read = {std::max(windows.read_per_step.value, below(kernel.hbm_read.value))};
  windows.last_write = {std::max(windows.write_per_step.value, below(kernel.hbm_write.value))};
  if (steps == 1) {
    windows.first_read = kernel.hbm_read;
    windows.last_write = kernel.hbm_write;
  }
  kernel.on_chip_read = {some(kernel.hbm_read.value / 2)};
  const double share =
      static_cast<double>(kernel.on_chip_read.value) / static_cast<double>(kernel.hbm_read.value);
  windows.first_on_chip_read = {
      static_cast<int64_t>(static_cast<double>(windows.first_read.value) * share)};
  return kernel;
}

WindowBytes Parts(Bytes all, Bytes on_chip) {
  return {static_cast<double>((all - on_chip).value), static_cast<double>(on_chip.value)};
}

TEST_P(WindowTimes, AreThoseOfTheWindowsOneByOne) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const int64_t steps = std::uniform_int_distribution<int64_t>(1, i % 2 == 0 ? 4 : 64)(random);
    const Kernel kernel = RandomKernel(random, steps);
    const Windows& windows = kernel.windows;
    const WindowTraffic traffic = {
        static_cast<double>(steps), Parts(kernel.hbm_read, kernel.on_chip_read),
        Parts(kernel.hbm_write, kernel.on_chip_write),
        Parts(windows.first_read, windows.first_on_chip_read), Parts(windows.last_write, {})};
    const KernelSpan span = TimeKernel(kernel, chip_);
    const double fixed = (span.overhead + chip_.dma_latency * 2).value;
    const double found = WindowTime(CostsOfWindows(kernel, chip_), traffic);
    EXPECT_NEAR(span.duration.value - fixed, found, 1e-6 * found) << i << ": " << steps << " steps";
  }
}

}  // namespace
}  // namespace tilewise
