// The closed form, on kernels whose time is known by hand.

#include "estimator/estimate.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

Target SimpleTarget() {
  Target target;
  target.chip.clock_hz = 1e9;
  target.chip.hbm_bandwidth = {1e9};
  target.chip.ici_link_bandwidth = {1e9};
  target.chip.kernel_overhead = {1e-6};
  return target;
}

TEST(EstimateProgram, TakesTheLongestUnitAndTheOverhead) {
  Kernel kernel;
  kernel.matrix.weight_tiles = 10;
  kernel.matrix.rows_per_tile = 1000;  // 10 us
  kernel.vector.alu = 8000;            // 4 us
  kernel.hbm_read = {3000};            // 3 us
  Program program;
  program.kernels = {kernel};
  const Estimate estimate = EstimateProgram(program, SimpleTarget());
  EXPECT_NEAR(estimate.kernels[0].compute.value, 10e-6, 1e-12);
  EXPECT_NEAR(estimate.kernels[0].vector.value, 4e-6, 1e-12);
  EXPECT_NEAR(estimate.kernels[0].memory.value, 3e-6, 1e-12);
  EXPECT_NEAR(estimate.step.value, 11e-6, 1e-12);
}

TEST(EstimateProgram, CountsIterationsAndLetsCollectivesOverlap) {
  Kernel kernel;
  kernel.hbm_read = {3000};
  kernel.repeat = 5;
  Kernel reduce;
  reduce.kind = KernelKind::kCollective;
  reduce.collective_bytes = {20000};
  reduce.participants = 2;
  Program program;
  program.kernels = {kernel, reduce};
  const double in_order = EstimateProgram(program, SimpleTarget()).step.value;
  program.kernels[1].overlappable = true;
  const Estimate beside = EstimateProgram(program, SimpleTarget());
  EXPECT_NEAR(beside.step.value, 20e-6, 1e-12);
  EXPECT_NEAR(in_order, 26e-6, 1e-12);
  EXPECT_EQ(beside.hbm_traffic, Bytes{15000});
}

}  // namespace
}  // namespace tilewise
