// Buffers at the HBM peak, like ones together.

#include "sim/lowering/largest_buffers.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

// All that is kept is alive where it is read together.
constexpr std::string_view kLayers = R"(graph "g" {
  x = f32[8192,1024] parameter()
  layer1/mlp/y = f32[8192,1024] opaque(x), label="a"
  layer2/mlp/y = f32[8192,1024] opaque(layer1/mlp/y), label="a"
  layer10/mlp/y = f32[8192,1024] opaque(layer2/mlp/y), label="a"
  other = f32[16384,1024] opaque(layer10/mlp/y), label="b"
  sum = f32[8,128] opaque(layer1/mlp/y, layer2/mlp/y, layer10/mlp/y, other), label="c"
  output result sum
})";

TEST(LargestBuffers, NamesThoseOfLayersAsARange) {
  const std::vector<LargeBuffer> largest = LargestBuffers(Backend(kLayers), 2);
  ASSERT_EQ(largest.size(), 2u);
  EXPECT_EQ(largest[0].name, "layer1..10/mlp/y");
  EXPECT_EQ(largest[0].count, 3);
  EXPECT_EQ(largest[0].padded.value, 32 << 20);
  EXPECT_EQ(largest[0].all_padded().value, 96 << 20);
  EXPECT_EQ(largest[1].name, "other");
  EXPECT_EQ(largest[1].count, 1);
  EXPECT_EQ(largest[1].padded.value, 64 << 20);
}

TEST(LargestBuffers, NamesNoMoreThanAsked) {
  EXPECT_EQ(LargestBuffers(Backend(kLayers), 1).size(), 1u);
  EXPECT_TRUE(LargestBuffers(Backend(kLayers), 0).empty());
}

}  // namespace
}  // namespace tilewise
