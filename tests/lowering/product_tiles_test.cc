// Kernels of products whose operands the array has no path for.

#include <gtest/gtest.h>

#include "sim/lowering/tile_selection/matmul_tiles.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

constexpr std::string_view kHalfDot = R"(graph "g" {
  x = f16[1024,2048] parameter()
  w = f16[2048,512] parameter()
  y = f16[1024,512] dot(x, w), lhs_contract={1}, rhs_contract={0}
  output result y
})";

Target WithSecondMemory() {
  Target target = BackendTarget(4);
  target.chip.cmem = {int64_t{128} << 20};
  target.chip.cmem_bandwidth = {1e12};
  return target;
}

Program LowerCut(std::string_view text, const MatmulCuts& cuts,
                 const Target& target = BackendTarget()) {
  LowerOptions options;
  options.training = false;
  options.matmul_cuts = cuts;
  const Graph graph = GraphOf(text);
  absl::StatusOr<Program> program = Lower(graph, 1, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

TEST(TileMatmul, ConvertsBothWindowsInEveryStep) {
  const Program program = LowerCut(kHalfDot, {2, 4, 1, true});
  const Kernel& kernel = program.kernels[0];
  EXPECT_EQ(kernel.windows.steps, 8);
  const double lhs = 1024.0 * 2048 / 1024;  // registers
  const double rhs = 2048.0 * 512 / 1024;
  EXPECT_DOUBLE_EQ(kernel.matrix.feed_alu, (2 * lhs + 4 * rhs) * BackendChip().f16_unpack_ops);
  EXPECT_GT(kernel.vector.alu, kernel.matrix.feed_alu);  // results are packed
}

TEST(TileMatmul, ACutWindowTakesAsLongAsAWholeOne) {
  const Kernel whole = LowerCut(kHalfDot, {1, 4, 1, true}).kernels[0];
  const Kernel cut = LowerCut(kHalfDot, {1, 3, 1, true}).kernels[0];  // 43 of 128 tiles each
  EXPECT_DOUBLE_EQ(cut.matrix.busiest_core, whole.matrix.busiest_core * 3 * 43 / 128);
}

TEST(TileMatmul, AddsToAResultInEveryWindowOfTheDepthButTheFirst) {
  const auto results = [](int64_t k_windows) {
    const Kernel kernel = LowerCut(kHalfDot, {2, 4, k_windows, true}).kernels[0];
    return kernel.vector.alu - kernel.matrix.feed_alu;
  };
  const double registers = 1024.0 * 512 / 1024;
  EXPECT_DOUBLE_EQ(results(1), registers * BackendChip().f16_pack_ops);
  EXPECT_DOUBLE_EQ(results(4) - results(1), registers * 3 * BackendChip().partial_sum_ops);
}

TEST(TileMatmul, NothingOfItsEndsShowsWhereRhsIsOnChip) {
  const Program program = Backend(R"(graph "g" {
    x = f16[512,1024] parameter()
    w = f16[1024,1024] parameter()
    y = f16[512,1024] dot(x, w), lhs_contract={1}, rhs_contract={0}
    output result y
  })",
                                  WithSecondMemory());
  EXPECT_EQ(program.kernels[0].windows.first_read.value, 1);
  EXPECT_EQ(program.kernels[0].windows.last_write.value, 1);
}

TEST(TileMatmul, ReadsTheInnerOperandAgainForEveryOuterWindow) {
  const Program program = LowerCut(kHalfDot, {2, 4, 1, true});
  const Kernel& kernel = program.kernels[0];
  // Loops n, m: a window of w stays while those of x pass by.
  EXPECT_EQ(kernel.hbm_read.value, 2 * (2 * 1024 * 2048 + 2048 * 512));
  EXPECT_EQ(kernel.windows.first_read.value, 2 * (1024 / 4 * 2048 + 2048 * 512 / 2));
  EXPECT_EQ(kernel.windows.last_write.value, 2 * 1024 * 512 / 8);
}

TEST(TileMatmul, ReadsBothAgainWhenTheDepthIsCut) {
  const Program program = LowerCut(kHalfDot, {2, 4, 2, true});
  EXPECT_EQ(program.kernels[0].hbm_read.value, 2 * (2 * 1024 * 2048 + 4 * 2048 * 512));
}

TEST(TileMatmul, OneWindowForTwoCoresLeavesOneIdle) {
  Target target = BackendTarget();
  target.chip.tensor_cores_per_device = 2;
  const Program one = LowerCut(kHalfDot, {1, 1, 1, true}, target);
  const Program two = LowerCut(kHalfDot, {2, 1, 1, true}, target);
  EXPECT_DOUBLE_EQ(one.kernels[0].matrix.busiest_core, 2);
  EXPECT_DOUBLE_EQ(two.kernels[0].matrix.busiest_core, 1);
}

TEST(TileMatmul, LeavesNativeOperandsAlone) {
  const Program program = Backend(R"(graph "g" {
    x = bf16[1024,2048] parameter()
    w = bf16[2048,512] parameter()
    y = bf16[1024,512] dot(x, w), lhs_contract={1}, rhs_contract={0}
    output result y
  })");
  EXPECT_EQ(program.kernels[0].matrix.feed_alu, 0);
  EXPECT_EQ(program.kernels[0].vector.alu, 0);
}

TEST(ConvertOperands, CountsConvolutionsToo) {
  const Program program = Backend(R"(graph "g" {
    x = f16[8,16,16,128] parameter()
    w = f16[3,3,128,128] variable()
    y = f16[8,14,14,128] convolution(x, w), window={size=3x3}
    output result y
  })");
  EXPECT_GT(program.kernels[0].matrix.feed_alu, 0);
}

TEST(PrefetchedArgument, LargerOperandOfASingleProductIsOnChip) {
  const Program program = Backend(kHalfDot, WithSecondMemory());
  const Kernel& kernel = program.kernels[0];
  EXPECT_GT(kernel.on_chip_read, Bytes{});
  EXPECT_LT(kernel.from_hbm(), kernel.hbm_read);
  for (const Buffer& buffer : program.buffers) {
    const bool is_lhs = buffer.value == OpNamed(program, "x").id;
    EXPECT_EQ(buffer.prefetched, is_lhs);
    EXPECT_FALSE(buffer.never_in_hbm());
  }
}

TEST(PrefetchedArgument, NoneWithoutSecondMemory) {
  EXPECT_EQ(Backend(kHalfDot).kernels[0].on_chip_read, Bytes{});
}

TEST(PrefetchedArgument, NoneThatHasNoRoom) {
  Target target = WithSecondMemory();
  target.chip.cmem = {int64_t{1} << 20};
  EXPECT_EQ(Backend(kHalfDot, target).kernels[0].on_chip_read, Bytes{});
}

TEST(PrefetchedArgument, NoneInProgramsOfSeveralKernels) {
  const Program program = Backend(R"(graph "g" {
    x = f16[1024,1024] parameter()
    w = f16[1024,1024] parameter()
    y = f16[1024,1024] dot(x, w), lhs_contract={1}, rhs_contract={0}
    z = f16[1024,1024] dot(y, w), lhs_contract={1}, rhs_contract={0}
    output result z
  })",
                                  WithSecondMemory());
  for (const Buffer& buffer : program.buffers) {
    EXPECT_FALSE(buffer.prefetched);
  }
}

}  // namespace
}  // namespace tilewise
