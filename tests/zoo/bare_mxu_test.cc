// One matrix unit at 1 GHz against ONNXim, which overlaps weight loads as the
// MXU does: layer-finish cycles of products that compute bounds, on one
// weight-stationary 128 x 128 array.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

// Without launches and with all of the MXU's peak; its memory is a v4's.
Target BareMxu() {
  Target target = *MakeTarget("v4", 1, "");
  Chip& chip = target.chip;
  chip.clock_hz = 1e9;
  chip.mxus = 1;
  chip.matmul_efficiency = 1;
  chip.kernel_overhead = {};
  chip.window_overhead = {};
  return target;
}

double CyclesOf(int64_t m, int64_t n, int64_t k) {
  const Target target = BareMxu();
  const absl::StatusOr<Workload> workload =
      LoadZoo(fmt::format("zoo:gemm,m={},n={},k={}", m, n, k), false);
  EXPECT_TRUE(workload.ok()) << workload.status();
  LowerOptions options;
  options.training = false;
  const absl::StatusOr<Program> program = Lower(*workload->graph, 1, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return SimulateStep(*program, target).step.value * target.chip.clock_hz;
}

TEST(BareMxu, CyclesOfComputeBoundProductsAreThoseOfOnnxim) {
  EXPECT_NEAR(CyclesOf(1024, 1024, 1024) / 67'205, 1, 0.02);
  EXPECT_NEAR(CyclesOf(4096, 1024, 1024) / 263'813, 1, 0.02);
  EXPECT_NEAR(CyclesOf(8192, 1024, 8192) / 4'199'366, 1, 0.02);
}

}  // namespace
}  // namespace tilewise
