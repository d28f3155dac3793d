// Grids of products whose operands are converted.

#include <random>

#include <gtest/gtest.h>

#include "sim/lowering/tile_selection/matmul_grid.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

Chip ChipOf(int64_t cores) {
  Chip chip = BackendChip();
  chip.tensor_cores_per_device = cores;
  chip.mxus = 4 * cores;
  chip.vmem_window_budget = {cores * (int64_t{15} << 20)};
  return chip;
}

MatmulDims Dims(int64_t m, int64_t n, int64_t k) {
  MatmulDims dims;
  dims.m = m;
  dims.n = n;
  dims.k = k;
  return dims;
}

TEST(GivenMatmulGrid, CutsIntoNearEqualWholeTiles) {
  // 20 rows of tiles in the sublanes, 8 columns and 3 of depth in the lanes.
  const MatmulGrid grid = GivenMatmulGrid(Dims(155, 1000, 300), {3, 3, 2, true}, ChipOf(1));
  EXPECT_EQ(grid.m_size, 7 * 8);
  EXPECT_EQ(grid.n_size, 3 * 128);
  EXPECT_EQ(grid.k_size, 2 * 128);
  EXPECT_EQ(grid.steps(), 3 * 3 * 2);
}

TEST(GivenMatmulGrid, SaysHowFarWholeWindowsReachOverTheEdge) {
  const MatmulGrid grid = GivenMatmulGrid(Dims(155, 1000, 300), {3, 3, 2, true}, ChipOf(1));
  EXPECT_DOUBLE_EQ(grid.m_cover, 3 * 7 / 20.0);  // of tiles
  EXPECT_DOUBLE_EQ(grid.n_cover, 3 * 3 / 8.0);
}

TEST(GivenMatmulGrid, SharesWindowsOfOneDimOutToTheCores) {
  const MatmulDims dims = Dims(1024, 1024, 1024);
  const MatmulGrid by_n = GivenMatmulGrid(dims, {3, 2, 2, true}, ChipOf(2));
  EXPECT_EQ(by_n.n_per_core, 2);
  EXPECT_EQ(by_n.m_per_core, 2);
  EXPECT_EQ(by_n.steps(), 2 * 2 * 2);
  const MatmulGrid by_m = GivenMatmulGrid(dims, {3, 2, 2, false}, ChipOf(2));
  EXPECT_EQ(by_m.steps(), 3 * 1 * 2);
}

TEST(GivenMatmulGrid, SharesABatchOutInsteadOfADim) {
  MatmulDims dims = Dims(1024, 1024, 1024);
  dims.batch = 5;
  const MatmulGrid grid = GivenMatmulGrid(dims, {2, 1, 1, true}, ChipOf(2));
  EXPECT_EQ(grid.steps(), 3 * 2);
}

TEST(GivenMatmulGrid, CutsTransposedOperandsByTheirOwnTiles) {
  MatmulDims dims = Dims(1000, 1024, 136);
  dims.lhs_transposed = true;  // m in the lanes, k in the sublanes of both
  const MatmulGrid grid = GivenMatmulGrid(dims, {1, 2, 17, true}, ChipOf(1));
  EXPECT_EQ(grid.k_size, 8);
  EXPECT_EQ(grid.k_windows, 17);
  EXPECT_EQ(grid.m_size, 4 * 128);
}

class AnyProduct : public testing::TestWithParam<uint32_t> {};

TEST_P(AnyProduct, IsCoveredByWindowsWithinTheBudget) {
  std::mt19937 random(GetParam());
  const auto size = [&] { return std::uniform_int_distribution(1, 9000)(random); };
  const Chip chip = ChipOf(1 + GetParam() % 2);
  MatmulDims dims = Dims(size(), size(), size());
  dims.lhs_transposed = random() % 2 != 0;
  dims.rhs_transposed = random() % 2 != 0;
  dims.result_transposed = random() % 2 != 0;
  dims.lhs_on_chip = random() % 2 != 0;
  const MatmulGrid grid = ChooseMatmulGrid(dims, chip);
  EXPECT_LE(GridBytes(dims, grid).value,
            chip.vmem_window_budget.value / chip.tensor_cores_per_device);
  const auto covers = [](int64_t dim, int64_t size_each, int64_t windows) {
    return size_each * windows >= dim && size_each * (windows - 1) < dim;
  };
  EXPECT_TRUE(covers(dims.m, grid.m_size, grid.m_windows));
  EXPECT_TRUE(covers(dims.n, grid.n_size, grid.n_windows));
  EXPECT_TRUE(covers(dims.k, grid.k_size, grid.k_windows));
}

INSTANTIATE_TEST_SUITE_P(Random, AnyProduct, testing::Range(0u, 20u));

// Of the compiler's own grids (tpu-v4-odd-gemm): rhs is prefetched, and the
// cores share the rows that HBM brings out in windows of one tile of lanes.
TEST(ChooseMatmulGrid, StreamsWhatHbmBringsThroughTheCores) {
  struct {
    MatmulDims dims;
    int64_t n, m, k;
  } const published[] = {{Dims(1024, 2001, 2977), 1, 8, 2},
                         {Dims(1789, 2978, 2326), 3, 14, 1},
                         {Dims(1024, 3955, 1675), 3, 8, 1}};
  const Chip chip = *FindChip("v4");
  for (auto [dims, n, m, k] : published) {
    dims.lhs_transposed = dims.result_transposed = true;
    dims.rhs_on_chip = true;
    const MatmulGrid grid = ChooseMatmulGrid(dims, chip);
    EXPECT_EQ(grid.n_windows, n);
    EXPECT_EQ(grid.m_windows, m);
    EXPECT_EQ(grid.k_windows, k);
    EXPECT_FALSE(grid.cores_share_n);
  }
}

// The same of kernels that transpose their result: each step waits for that.
TEST(ChooseMatmulGrid, TransposesTheResultInWindowsOfFewRows) {
  struct {
    MatmulDims dims;
    bool lhs_on_chip;
    int64_t n, m;
  } const published[] = {{Dims(3319, 2001, 1024), true, 2, 26},
                         {Dims(1789, 3955, 1024), false, 2, 14},
                         {Dims(2554, 2978, 1024), false, 2, 10}};
  const Chip chip = *FindChip("v4");
  for (auto [dims, lhs_on_chip, n, m] : published) {
    dims.rhs_transposed = dims.result_transposed = true;
    dims.lhs_on_chip = lhs_on_chip;
    dims.rhs_on_chip = !lhs_on_chip;
    const MatmulGrid grid = ChooseMatmulGrid(dims, chip);
    EXPECT_EQ(grid.n_windows, n);
    EXPECT_EQ(grid.m_windows, m);
    EXPECT_EQ(grid.k_windows, 1);
    EXPECT_EQ(grid.cores_share_n, lhs_on_chip);
  }
}

TEST(ChooseMatmulGrid, SharesOutTheWindowsOfTheOperandInHbm) {
  MatmulDims dims = Dims(2048, 2048, 2048);
  dims.lhs_on_chip = true;
  EXPECT_TRUE(ChooseMatmulGrid(dims, ChipOf(2)).cores_share_n);
  dims.lhs_on_chip = false;
  dims.rhs_on_chip = true;
  EXPECT_FALSE(ChooseMatmulGrid(dims, ChipOf(2)).cores_share_n);
}

TEST(ChooseMatmulGrid, KeepsSmallProductsInOneStep) {
  EXPECT_EQ(ChooseMatmulGrid(Dims(64, 64, 64), ChipOf(1)).steps(), 1);
}

// Published times tell it: [80,96] x [96,128] takes 1.17 us, [80,80] x [80,128] 1.24 us.
TEST(ChooseMatmulGrid, SharesATileOutWhereAnOperandIsTheLargestValue) {
  MatmulDims dims = Dims(80, 128, 96);
  dims.rhs_on_chip = true;
  EXPECT_EQ(ChooseMatmulGrid(dims, ChipOf(2)).m_windows, 2);
  dims.k = 80;
  EXPECT_EQ(ChooseMatmulGrid(dims, ChipOf(2)).m_windows, 1);
}

// The published time of 13.1 us tells it.
TEST(ChooseMatmulGrid, GivesEachCoreATileOfColumns) {
  MatmulDims dims = Dims(1024, 256, 1024);
  dims.lhs_on_chip = true;
  const MatmulGrid grid = ChooseMatmulGrid(dims, *FindChip("v4"));
  EXPECT_EQ(grid.n_windows, 2);
  EXPECT_TRUE(grid.cores_share_n);
}

TEST(ChooseMatmulGrid, TakesTheSmallestWindowsWhereNoneFits) {
  Chip chip = ChipOf(1);
  chip.vmem_window_budget = {1024};
  const MatmulGrid grid = ChooseMatmulGrid(Dims(512, 512, 512), chip);
  EXPECT_EQ(grid.m_size, 8);
  EXPECT_EQ(grid.n_size, 128);
  EXPECT_EQ(grid.k_size, 128);
}

}  // namespace
}  // namespace tilewise
