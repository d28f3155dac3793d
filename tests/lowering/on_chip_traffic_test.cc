// Traffic and windows of kernels whose values are on-chip.

#include "sim/lowering/memory_space_assignment/on_chip_traffic.h"

#include <gtest/gtest.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

// With room for whole values between kernels.
Target Roomy() {
  Target target = BackendTarget();
  target.chip.vmem = {int64_t{128} << 20};
  return target;
}

constexpr std::string_view kProducts = R"(graph "g" {
  x = f32[2048,1024] parameter()
  w = f32[1024,1024] variable()
  v = f32[1024,1024] variable()
  y = f32[2048,1024] dot(x, w), lhs_contract={1}, rhs_contract={0}
  z = f32[2048,1024] dot(y, v), lhs_contract={1}, rhs_contract={0}
  output result z
})";

TEST(OnChipTraffic, IsWhatWasWrittenThere) {
  const Program program = Backend(kProducts, Roomy());
  ASSERT_EQ(program.kernels.size(), 2);
  EXPECT_EQ(program.kernels[0].on_chip_write, program.kernels[0].hbm_write);
  EXPECT_GE(program.kernels[1].on_chip_read.value, 2048 * 1024 * 4);
  EXPECT_GE(program.kernels[1].from_hbm().value, 1024 * 1024 * 4);
}

TEST(OnChipTraffic, BackInHbmKernelsHaveTheirFormerWindows) {
  const Program in_hbm = Backend(kProducts);
  Program program = Backend(kProducts, Roomy());
  for (Buffer& buffer : program.buffers) buffer.on_chip_until = -1;
  MoveOnChipTraffic(program, Roomy().chip);
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const Kernel& now = program.kernels[k];
    const Kernel& before = in_hbm.kernels[k];
    EXPECT_EQ(now.on_chip_read.value + now.on_chip_write.value, 0);
    EXPECT_EQ(now.windows.steps, before.windows.steps);
    EXPECT_EQ(now.windows.first_read, before.windows.first_read);
    EXPECT_EQ(now.hbm_read, before.hbm_read);
  }
}

TEST(OnChipTraffic, WeightsOfALoopStayInHbmWhenItsInputsAreOnChip) {
  const Program program = Backend(R"(graph "g" {
    x = bf16[8,64,4096] parameter()
    u = bf16[1024,4096] variable()
    a = bf16[8,64,4096] exponential(x)
    h = bf16[8,64,1024] recurrent(a, u), cell=lstm
    output result h
  })",
                                  Roomy());
  const Kernel& loop = program.kernels.back();
  ASSERT_EQ(loop.repeat, 64);
  EXPECT_EQ(loop.on_chip_read.value, 8 * 4096 * 2);
  EXPECT_EQ(loop.from_hbm().value, 1024 * 4096 * 2);
}

// There is room for two of the three large values that a step holds at once:
// `a` leaves for the time of one large product, not of many small ones.
TEST(OnChipTraffic, PausesAreMeasuredInTimeNotInKernels) {
  Target target = BackendTarget();
  target.chip.vmem = {2 * target.chip.vmem_window_budget.value + (int64_t{16} << 20) + (1 << 16)};
  const Program program = Backend(R"(graph "g" {
    x = f32[2048,1024] parameter()
    w = f32[1024,1024] variable()
    s0 = f32[8,128] parameter()
    m = f32[128,128] variable()
    a = f32[2048,1024] dot(x, w), lhs_contract={1}, rhs_contract={0}
    s1 = f32[8,128] dot(s0, m), lhs_contract={1}, rhs_contract={0}
    s2 = f32[8,128] dot(s1, m), lhs_contract={1}, rhs_contract={0}
    s3 = f32[8,128] dot(s2, m), lhs_contract={1}, rhs_contract={0}
    s4 = f32[8,128] dot(s3, m), lhs_contract={1}, rhs_contract={0}
    b = f32[2048,1024] dot(a, w), lhs_contract={1}, rhs_contract={0}
    c = f32[2048,1024] dot(b, w), lhs_contract={1}, rhs_contract={0}
    d = f32[2048,1024] dot(c, w), lhs_contract={1}, rhs_contract={0}
    e = f32[2048,1024] add(d, a)
    output result e
    output result s4
  })",
                                  target);
  const auto until = [&](std::string_view name) {
    for (const Buffer& buffer : program.buffers) {
      if (program.graph.op(buffer.value).name == name) return buffer.on_chip_until;
    }
    return KernelId();
  };
  ASSERT_EQ(program.kernels.size(), 8);
  EXPECT_EQ(until("a"), 5);  // where b is made
  EXPECT_EQ(until("b"), 6);
  EXPECT_EQ(until("c"), 7);
}

}  // namespace
}  // namespace tilewise
