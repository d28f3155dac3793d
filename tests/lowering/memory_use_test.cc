// What HBM holds at the peak, and how tightly buffers pack.

#include "sim/lowering/memory_use.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

Buffer Live(int64_t bytes, KernelId first, KernelId last) {
  Buffer buffer;
  buffer.padded = buffer.unpadded = {bytes};
  buffer.first = first;
  buffer.last = last;
  return buffer;
}

Bytes PeakOf(const std::vector<Buffer>& buffers) {
  Bytes peak;
  for (int32_t at = 0; at < 64; ++at) {
    Bytes live;
    for (const Buffer& buffer : buffers) {
      if (buffer.first <= at && at <= buffer.last) live += buffer.padded;
    }
    peak = std::max(peak, live);
  }
  return peak;
}

TEST(PackedSize, ReusesThePlaceOfWhatIsDead) {
  EXPECT_EQ(PackedSize({Live(8, 0, 1), Live(8, 2, 3)}), Bytes{8});
  EXPECT_EQ(PackedSize({Live(8, 0, 2), Live(8, 2, 3)}), Bytes{16});
  EXPECT_EQ(PackedSize({}), Bytes{0});
}

TEST(PackedSize, LeavesOutWhatIsNeverInHbm) {
  Buffer on_chip = Live(8, 0, 1);
  on_chip.on_chip_until = 1;
  EXPECT_EQ(PackedSize({on_chip, Live(4, 0, 1)}), Bytes{4});
}

// The small one at 6 stays while the others change: the last has only two
// gaps, neither of which holds it.
TEST(PackedSize, SeesFragmentation) {
  const std::vector<Buffer> buffers = {Live(6, 0, 1), Live(5, 3, 4), Live(4, 1, 3), Live(1, 1, 4)};
  EXPECT_EQ(PeakOf(buffers), Bytes{11});
  EXPECT_GE(*PackedSize(buffers), PeakOf(buffers));
}

TEST(PackedSize, IsNeverBelowThePeakNorAboveTheSum) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<Buffer> buffers;
    Bytes sum;
    for (int i = 0; i < 40; ++i) {
      const KernelId first(random() % 50);
      const auto length = static_cast<int32_t>(random() % 10);
      const auto bytes = static_cast<int64_t>(1 + random() % 100);
      buffers.push_back(Live(bytes, first, first + length));
      sum += buffers.back().padded;
    }
    EXPECT_GE(*PackedSize(buffers), PeakOf(buffers));
    EXPECT_LE(*PackedSize(buffers), sum);
  }
}

TEST(MemoryUse, AddsUpToThePeak) {
  const Target target = BackendTarget();
  const Program program = Backend(
      "graph \"g\" {\n"
      "  x = f32[100,300] parameter()\n"
      "  w = f32[300,500] variable()\n"
      "  d = f32[100,500] dot(x, w), lhs_contract={1}, rhs_contract={0}\n"
      "  t = f32[100,500] tanh(d)\n"
      "  output result t\n}\n",
      target);
  const MemoryUse use = MemoryUseAtPeak(program, target.chip);
  Bytes sum;
  for (const Bytes bytes : use.by_use) sum += bytes;
  EXPECT_EQ(sum, program.memory.peak);
  EXPECT_EQ(use.of(BufferUse::kVariable), program.memory.variables);
  EXPECT_GT(use.padding, Bytes{});
  EXPECT_EQ(use.nameplate, target.chip.hbm);
  ASSERT_TRUE(use.fragmentation.has_value());
  EXPECT_GE(*use.fragmentation, Bytes{});
}

}  // namespace
}  // namespace tilewise
