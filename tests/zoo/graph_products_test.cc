// The products that an array sees in models of the zoo.

#include <gtest/gtest.h>

#include "sim/graph_matmuls.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

std::vector<OpMatmul> ProductsOfZoo(const std::string& spec, int64_t batch) {
  const absl::StatusOr<Workload> workload = LoadZoo(spec, false);
  EXPECT_TRUE(workload.ok()) << workload.status();
  if (!workload.ok()) return {};
  return MatmulsOf(workload->graph->Bind(batch));
}

TEST(MatmulsOf, DotHasItsSizesAndItsBatchRepeats) {
  const auto found = ProductsOfZoo("zoo:gemm,m=3,n=5,k=7,batch=2", 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].shape.m, 3);
  EXPECT_EQ(found[0].shape.n, 5);
  EXPECT_EQ(found[0].shape.k, 7);
  EXPECT_EQ(found[0].repeats, 2);
}

// The first convolution, 53 in all, and the classifier; multiplies as
// published: 4.09 G.
TEST(MatmulsOf, ResnetIsItsConvolutionsAndTheClassifier) {
  const auto found = ProductsOfZoo("zoo:resnet50", 1);
  ASSERT_EQ(found.size(), 54u);
  EXPECT_EQ(found.front().shape.m, 112 * 112);
  EXPECT_EQ(found.front().shape.n, 64);
  EXPECT_EQ(found.front().shape.k, 7 * 7 * 3);
  EXPECT_EQ(found.back().shape.k, 2048);
  double macs = 0;
  for (const OpMatmul& one : found) {
    macs += static_cast<double>(one.shape.m * one.shape.n) *
            static_cast<double>(one.shape.k * one.repeats);
  }
  EXPECT_NEAR(macs, 4.09e9, 0.02e9);
}

TEST(MatmulsOf, BatchMultipliesTheRows) {
  const auto found = ProductsOfZoo("zoo:resnet50", 4);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().shape.m, 4 * 112 * 112);
}

TEST(MatmulsOf, AttentionIsTwoProductsForEachHead) {
  const auto found = ProductsOfZoo("zoo:attention", 1);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].shape.n, found[1].shape.k);
  EXPECT_EQ(found[0].repeats, found[1].repeats);
}

}  // namespace
}  // namespace tilewise
