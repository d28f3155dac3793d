// Products of uneven groups of rows, in the blocks of a hand-written kernel.

#include "tests/lowering/backend.h"
#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

// 8 groups of 1024 rows on average, times a trained matrix each.
std::string Grouped(const std::string& attributes) {
  return "x = bf16[8,1024,1408] variable()\n"
         "w = bf16[8,1408,2048] variable()\n"
         "y = bf16[8,1024,2048] dot(x, w), lhs_batch={0}, rhs_batch={0}, "
         "lhs_contract={2}, rhs_contract={1}" +
         attributes + "\noutput result y";
}

std::vector<MatrixWork> Products(const std::string& attributes) {
  LowerOptions options;
  options.spec = SpecOf(LossKind::kMeanSquaredError);
  const auto program =
      Lower(ParsedGraph(Grouped(attributes)), 1, BackendTarget(), options);
  EXPECT_TRUE(program.ok()) << program.status();
  std::vector<MatrixWork> products;
  for (const Kernel& kernel : program->kernels) {
    if (kernel.matrix.weight_tiles > 0) products.push_back(kernel.matrix);
  }
  return products;
}

TEST(GroupedProduct, BlocksInWhichGroupsMeetAreMultipliedForBoth) {
  const std::vector<MatrixWork> even = Products("");
  const std::vector<MatrixWork> uneven = Products(", window={size=512}");
  ASSERT_EQ(even.size(), 3u);  // forward and both gradients
  ASSERT_EQ(uneven.size(), 3u);
  // 7 blocks of 512 rows more than the 16 that 8192 rows fill, and the 1408
  // features take two blocks of 1024. Contracted, the rows of a group on
  // average are rounded up to a side of the array.
  const double more = (16.0 + 7) / 16 * 2048 / 1408;
  constexpr double kRounded = 0.1;
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(uneven[i].useful_flops, even[i].useful_flops) << i;
    EXPECT_NEAR(uneven[i].padded_flops / uneven[i].useful_flops, more, kRounded)
        << i;
  }
}

}  // namespace
}  // namespace tilewise
