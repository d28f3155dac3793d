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
  EXPECT_NEAR(in_order, 41e-6, 1e-12);
  EXPECT_EQ(beside.hbm_traffic, Bytes{15000});
}

// The group has the two links of one axis of the torus, all chips those of three.
TEST(EstimateProgram, LetsACollectiveUseTheLinksOfItsGroup) {
  Target target = *MakeTarget("v5p", 64, "", {.data = 1, .fsdp = 16, .tensor = 4});
  Kernel gather;
  gather.kind = KernelKind::kCollective;
  gather.collective = OpKind::kAllGather;
  gather.collective_bytes = Bytes{1 << 30};
  gather.overlappable = true;
  Program program;
  program.kernels = {gather};
  program.kernels[0].participants = 64;
  const Seconds all = EstimateProgram(program, target).step;
  program.kernels[0].participants = 4;
  program.kernels[0].mesh_axis = "tensor";
  const Seconds group = EstimateProgram(program, target).step;
  const double links = target.chip.ici_link_bandwidth.value;
  EXPECT_NEAR(group.value, 0.75 * (1 << 30) / (2 * links), 1e-9);
  EXPECT_NEAR(all.value, 63.0 / 64 * (1 << 30) / (6 * links), 1e-9);
}

}  // namespace
}  // namespace tilewise
