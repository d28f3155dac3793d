// Windows under the VMEM budget.

#include <gtest/gtest.h>

#include "sim/lowering/tile_selection/matrix_tiles.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

constexpr std::string_view kLargeDot = R"(graph "g" {
  x = f32[8192,8192] parameter()
  w = f32[8192,8192] variable()
  y = f32[8192,8192] dot(x, w), lhs_contract={1}, rhs_contract={0}
  output result y
})";

TEST(ChooseTiles, WindowsFitTwiceInTheBudget) {
  const Program program = Backend(kLargeDot);
  const Windows& windows = program.kernels[0].windows;
  EXPECT_GT(windows.steps, 1);
  EXPECT_EQ(windows.buffers, 2);
  EXPECT_LE(2 * windows.vmem.value, BackendChip().vmem_window_budget.value);
}

TEST(ChooseTiles, OperandsThatDoNotFitAreReadAgain) {
  const Program program = Backend(kLargeDot);
  const Kernel& kernel = program.kernels[0];
  EXPECT_GT(kernel.hbm_read.value, int64_t{2} * 8192 * 8192 * 4);
  EXPECT_GE(kernel.windows.read_per_step.value * kernel.windows.steps, kernel.hbm_read.value);
}

TEST(ChooseTiles, MoreVmemNeverReadsMore) {
  Target large = BackendTarget();
  large.chip.vmem_window_budget = {int64_t{100} << 20};
  EXPECT_LT(Backend(kLargeDot, large).kernels[0].hbm_read.value,
            Backend(kLargeDot).kernels[0].hbm_read.value);
}

TEST(ChooseTiles, SmallKernelsTakeOneStep) {
  const Program program = Backend(R"(graph "g" {
    x = f32[8,128] parameter()
    y = f32[8,128] negate(x)
    output result y
  })");
  EXPECT_EQ(program.kernels[0].windows.steps, 1);
}

TEST(ChooseTiles, LongLoopsOverlapTheirWindows) {
  const Program program = Backend(R"(graph "g" {
    x = f32[65536,1024] parameter()
    y = f32[65536,1024] negate(x)
    output result y
  })");
  EXPECT_GT(program.kernels[0].windows.steps, 16);
  EXPECT_EQ(program.kernels[0].windows.buffers, 2);
}

TEST(ChooseTiles, AFewRowsAreCutByColumns) {
  const Program program = Backend(R"(graph "g" {
    x = f32[2,2048] parameter()
    w = f32[2048,2048] variable()
    y = f32[2,2048] dot(x, w), lhs_contract={1}, rhs_contract={0}
    output result y
  })");
  EXPECT_GT(program.kernels[0].windows.steps, 1);
}

TEST(ChooseMatrixGrid, ReadsEachOperandOnceWhenBothFit) {
  MatrixBytes bytes;
  bytes.lhs = bytes.rhs = bytes.written = {1 << 20, 0};
  bytes.max_m_blocks = bytes.max_n_blocks = 16;
  WindowCosts costs;
  costs.hbm = 1e-12;
  costs.overhead = 1e-7;
  const MatrixGrid grid = ChooseMatrixGrid(bytes, costs, BackendChip());
  EXPECT_TRUE(grid.fits);
  EXPECT_EQ(grid.lhs_times, 1);
  EXPECT_EQ(grid.rhs_times, 1);
}

}  // namespace
}  // namespace tilewise
