// Products of uneven groups of rows, in the blocks of a hand-written kernel.

#include <string_view>

#include <fmt/format.h>

#include "tests/lowering/backend.h"
#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

// 8 groups of 1024 rows on average, times a trained matrix each.
std::string Grouped(int64_t features, std::string_view attributes) {
  return fmt::format(
      "x = bf16[8,1024,1408] variable()\n"
      "w = bf16[8,1408,{0}] variable()\n"
      "y = bf16[8,1024,{0}] dot(x, w), lhs_batch={{0}}, rhs_batch={{0}}, "
      "lhs_contract={{2}}, rhs_contract={{1}}{1}\noutput result y",
      features, attributes);
}

std::vector<MatrixWork> Products(std::string_view attributes, int64_t features = 2048,
                                 int64_t cores = 1) {
  LowerOptions options;
  options.spec = SpecOf(LossKind::kMeanSquaredError);
  Target target = BackendTarget();
  target.chip.tensor_cores_per_device = cores;
  const auto program = Lower(ParsedGraph(Grouped(features, attributes)), 1, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  std::vector<MatrixWork> products;
  for (const Kernel& kernel : program->kernels) {
    if (kernel.matrix.weight_tiles > 0) products.push_back(kernel.matrix);
  }
  return products;
}

TEST(GroupedProduct, BlocksInWhichGroupsMeetAreMultipliedForBoth) {
  const std::vector<MatrixWork> even = Products("");
  const std::vector<MatrixWork> uneven = Products(", window={size=512x1024x1024}");
  ASSERT_EQ(even.size(), 3u);  // forward and both gradients
  ASSERT_EQ(uneven.size(), 3u);
  // 7 blocks of 512 rows more than the 16 that 8192 rows fill, and the 1408
  // features take two blocks of 1024. Contracted, the rows of a group on
  // average are rounded up to a side of the array.
  const double more = (16.0 + 7) / 16 * 2048 / 1408;
  constexpr double kRounded = 0.1;
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(uneven[i].useful_flops, even[i].useful_flops) << i;
    EXPECT_NEAR(uneven[i].padded_flops / uneven[i].useful_flops, more, kRounded) << i;
  }
}

TEST(GroupedProduct, CoresOfADeviceShareOutWholeBlocksOfFeatures) {
  constexpr std::string_view kBlocks = ", window={size=512x1024x1024}";
  for (const int64_t blocks : {2, 3}) {
    const MatrixWork one = Products(kBlocks, blocks * 1024, 1).front();
    const MatrixWork two = Products(kBlocks, blocks * 1024, 2).front();
    const double shared = blocks == 3 ? 4.0 / 3 : 1;  // one core has two
    EXPECT_DOUBLE_EQ(two.padded_flops, shared * one.padded_flops) << blocks;
  }
  EXPECT_EQ(Products("", 3072, 2).front().padded_flops, Products("", 3072, 1).front().padded_flops);
}

// Blocks belong to what the features are: those of the result are summed for
// the gradient of the rows.
TEST(GroupedProduct, GradientsTakeTheBlocksOfTheFeaturesThatTheyMultiply) {
  constexpr int64_t kFeatures = 1536;
  const std::vector<MatrixWork> whole = Products(", window={size=512x128x1536}", kFeatures);
  const std::vector<MatrixWork> padded = Products(", window={size=512x128x1024}", kFeatures);
  ASSERT_EQ(whole.size(), 3u);
  ASSERT_EQ(padded.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(padded[i].padded_flops, whole[i].padded_flops * 2048 / kFeatures) << i;
  }
}

}  // namespace
}  // namespace tilewise
