// Live ranges and the HBM peak.

#include <gtest/gtest.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

constexpr int64_t kMiB = 1 << 20;

TEST(PlaceBuffers, ValuesInsideAKernelTakeNoBuffer) {
  const Program program = Backend(R"(graph "g" {
    x = f32[512,512] parameter()
    a = f32[512,512] negate(x)
    b = f32[512,512] exponential(a)
    output result b
  })");
  EXPECT_EQ(program.buffers.size(), 2);
  EXPECT_EQ(program.memory.peak.value, 2 * kMiB);
  EXPECT_EQ(program.memory.arguments.value, kMiB);
}

TEST(PlaceBuffers, BuffersDieAfterTheirLastReader) {
  const Program program = Backend(R"(graph "g" {
    x = f32[512,512] parameter()
    a = f32[512,512] dot(x, x), lhs_contract={1}, rhs_contract={0}
    b = f32[512,512] dot(a, x), lhs_contract={1}, rhs_contract={0}
    c = f32[512,512] dot(b, x), lhs_contract={1}, rhs_contract={0}
    output result c
  })");
  EXPECT_EQ(program.memory.peak.value, 3 * kMiB);
}

TEST(PlaceBuffers, NewStateTakesThePlaceOfTheVariable) {
  const Program program = Backend(R"(graph "g" {
    w = f32[512,512] variable()
    g = f32[512,512] parameter()
    v = f32[512,512] subtract(w, g), phase=update
    output state v of w
  })");
  EXPECT_EQ(program.memory.peak.value, 2 * kMiB);
  EXPECT_EQ(program.memory.variables.value, kMiB);
}

TEST(PlaceBuffers, PeakCountsPadding) {
  const Program program = Backend(R"(graph "g" {
    x = f32[1048576,3,3] parameter()
    o = f32[1048576,3,3] opaque(x), label="custom"
    output result o
  })");
  ASSERT_FALSE(program.buffers.empty());
  const Buffer& largest = *std::ranges::max_element(program.buffers, {}, &Buffer::padded);
  EXPECT_EQ(largest.unpadded.value, int64_t{1048576} * 9 * 4);
  EXPECT_GT(largest.padded.value, 10 * largest.unpadded.value);
  EXPECT_GE(program.memory.peak, largest.padded);
}

}  // namespace
}  // namespace tilewise
