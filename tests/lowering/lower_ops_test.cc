// Matrix, vector and memory work of kernels.

#include <string>

#include <gmock/gmock.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

const Kernel& OnlyMatrixKernel(const Program& program) {
  for (const Kernel& kernel : program.kernels) {
    if (kernel.kind == KernelKind::kMatrix) return kernel;
  }
  ADD_FAILURE() << "no matrix kernel";
  return program.kernels[0];
}

TEST(LowerOps, DotCountsTilesAndRows) {
  const Program program = Backend(R"(graph "g" {
    x = f32[1000,300] parameter()
    w = f32[300,1000] variable()
    y = f32[1000,1000] dot(x, w), lhs_contract={1}, rhs_contract={0}
    output result y
  })");
  const MatrixWork& work = OnlyMatrixKernel(program).matrix;
  EXPECT_EQ(work.weight_tiles, 3 * 8);
  EXPECT_EQ(work.rows_per_tile, 1000);
  EXPECT_EQ(work.useful_flops, 2.0 * 1000 * 300 * 1000);
  EXPECT_EQ(work.padded_flops, 2.0 * 24 * 128 * 128 * 1000);
}

TEST(LowerOps, PrecisionPassesMultiplyTheArrayWork) {
  const Program program = Backend(R"(graph "g" {
    x = f32[128,128] parameter()
    y = f32[128,128] dot(x, x), lhs_contract={1}, rhs_contract={0}, precision_passes=6
    output result y
  })");
  const MatrixWork& work = OnlyMatrixKernel(program).matrix;
  EXPECT_EQ(work.passes, 6);
  EXPECT_EQ(work.padded_flops, 6 * work.useful_flops);
}

TEST(LowerOps, MatrixVectorProductRunsOnTheVectorUnit) {
  const Program program = Backend(R"(graph "g" {
    x = f32[4096,4096] parameter()
    v = f32[4096,1] parameter()
    y = f32[4096,1] dot(x, v), lhs_contract={1}, rhs_contract={0}
    output result y
  })");
  ASSERT_EQ(program.kernels.size(), 1);
  EXPECT_EQ(program.kernels[0].matrix.weight_tiles, 0);
  EXPECT_GE(program.kernels[0].vector.alu, 2 * 4096 * 4096 / 1024);
}

TEST(LowerOps, ConvolutionCountsOnlyTapsInsideTheImage) {
  const Program program = Backend(R"(graph "g" {
    x = f32[128,4,4,128] parameter()
    k = f32[3,3,128,128] variable()
    y = f32[128,4,4,128] convolution(x, k), window={size=3x3 pad=1_1x1_1}
    output result y
  })");
  const MatrixWork& work = OnlyMatrixKernel(program).matrix;
  // Of 12 pairs of row and tap per dim, 10 are inside.
  EXPECT_EQ(work.useful_flops, 2.0 * 128 * 10 * 10 * 128 * 128);
  EXPECT_GE(work.padded_flops, work.useful_flops);
}

TEST(LowerOps, TapsOfARowShareTheDepthOfTheArray) {
  const auto streamed = [](std::string_view features) {
    const Program program = Backend("graph \"g\" {\n  x = f32[128,32,32," + std::string(features) +
                                    "] parameter()\n  k = f32[7,7," + std::string(features) +
                                    ",64] variable()\n"
                                    "  y = f32[128,32,32,64] convolution(x, k), "
                                    "window={size=7x7 pad=3_3x3_3}\n  output result y\n}");
    const MatrixWork& work = OnlyMatrixKernel(program).matrix;
    return work.weight_tiles * work.rows_per_tile;
  };
  // 7 taps of 3 features, each padded to 8, fit 128; of 24 features they do
  // not.
  EXPECT_EQ(streamed("24"), 7 * streamed("3"));
}

TEST(LowerOps, GradientsDoTheWorkOfTheForwardConvolution) {
  const std::string text = R"(graph "g" {
    x = f32[128,8,8,128] parameter()
    k = f32[3,3,128,256] variable()
    dy = f32[128,4,4,256] parameter()
    y = f32[128,4,4,256] convolution(x, k), window={size=3x3 stride=2x2 pad=0_1x0_1}
    dx = f32[128,8,8,128] conv-input-grad(dy, k), window={size=3x3 stride=2x2 pad=0_1x0_1}
    dk = f32[3,3,128,256] conv-kernel-grad(x, dy), window={size=3x3 stride=2x2 pad=0_1x0_1}
    output result y
    output result dx
    output result dk
  })";
  const Program program = Backend(text);
  ASSERT_EQ(program.kernels.size(), 3);
  for (const Kernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.matrix.useful_flops, program.kernels[0].matrix.useful_flops);
    EXPECT_GE(kernel.matrix.padded_flops, kernel.matrix.useful_flops);
  }
}

TEST(LowerOps, DepthwiseConvolutionAvoidsTheDenseExpansion) {
  const Program program = Backend(R"(graph "g" {
    x = f32[128,16,16,1024] parameter()
    k = f32[3,3,1,1024] variable()
    y = f32[128,14,14,1024] convolution(x, k), window={size=3x3}, groups=1024
    output result y
  })");
  ASSERT_EQ(program.kernels.size(), 1);
  EXPECT_EQ(program.kernels[0].matrix.weight_tiles, 0);
  EXPECT_GT(program.kernels[0].vector.alu, 0);
}

TEST(LowerOps, MaxPoolGradientIsMuchDearerThanThePool) {
  const Program program = Backend(R"(graph "g" {
    x = f32[128,16,16,64] parameter()
    dy = f32[128,8,8,64] parameter()
    p = f32[128,8,8,64] reduce-window(x), window={size=2x2 stride=2x2}, reducer=max
    g = f32[128,16,16,64] select-and-scatter(x, dy), window={size=2x2 stride=2x2}, reducer=max
    output result p
    output result g
  })");
  EXPECT_GT(WriterOf(program, "g")->vector.alu, 5 * WriterOf(program, "p")->vector.alu);
}

TEST(LowerOps, GatherMovesRowsNotTheTable) {
  const Program program = Backend(R"(graph "g" {
    t = f32[100000,64] variable()
    i = s32[512] parameter()
    y = f32[512,64] gather(t, i)
    output result y
  })");
  ASSERT_EQ(program.kernels.size(), 1);
  const Kernel& kernel = program.kernels[0];
  EXPECT_EQ(kernel.kind, KernelKind::kIndexed);
  EXPECT_EQ(kernel.hbm_read.value, 512 * 128 * 4 + 512 * 4);
  EXPECT_EQ(kernel.dma_row_efficiency, 1);
}

TEST(LowerOps, RecurrentLayerIsALoopOverTime) {
  const Program program = Backend(R"(graph "g" {
    z = f32[128,50,1024] parameter()
    u = f32[256,1024] variable()
    h = f32[128,50,256] recurrent(z, u), cell=lstm
    output result h
  })");
  const Kernel& kernel = program.kernels.back();
  EXPECT_EQ(kernel.kind, KernelKind::kRecurrent);
  EXPECT_EQ(kernel.repeat, 50);
  EXPECT_EQ(kernel.matrix.useful_flops, 2.0 * 128 * 256 * 1024);
}

}  // namespace
}  // namespace tilewise
