// Costs of the kinds that compilers' files have and layers do not, against
// those of the kinds they are made of.

#include <string>

#include <gtest/gtest.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

VectorWork WorkOf(const std::string& operands, const std::string& op) {
  const Program program =
      Backend("graph \"g\" {\n" + operands + "  y = " + op + "\n  output result y\n}");
  EXPECT_EQ(program.kernels.size(), 1u);
  return program.kernels[0].vector;
}

TEST(Complex, HasTwoPartsAndItsProductSixInstructions) {
  const std::string reals = "a = f32[512,1024] parameter()\nb = f32[512,1024] parameter()\n";
  const std::string complex = "a = c64[512,1024] parameter()\nb = c64[512,1024] parameter()\n";
  const double registers = 512;
  EXPECT_EQ(WorkOf(reals, "f32[512,1024] add(a, b)").alu, registers);
  EXPECT_EQ(WorkOf(complex, "c64[512,1024] add(a, b)").alu, 2 * registers);
  EXPECT_EQ(WorkOf(complex, "c64[512,1024] multiply(a, b)").alu, 6 * registers);
}

TEST(Complex, ProductsTakeFourOnTheMatrixUnit) {
  const auto matrix = [](const std::string& type) {
    return Backend("graph \"g\" {\na = " + type + "[512,512] parameter()\ny = " + type +
                   "[512,512] dot(a, a), lhs_contract={1}, rhs_contract={0}\n"
                   "output result y\n}")
        .kernels[0]
        .matrix;
  };
  EXPECT_EQ(matrix("f32").rate, 4 * matrix("c64").rate);
}

TEST(ArgReduce, CostsSeveralTimesAReduce) {
  const std::string x = "x = f32[512,1024] parameter()\n";
  EXPECT_EQ(WorkOf(x, "s32[512] arg-reduce(x), dims={1}, reducer=max").alu,
            3 * WorkOf(x, "f32[512] reduce(x), dims={1}, reducer=max").alu);
}

TEST(BitcastConvert, JoinsTheLoopThatUsesIt) {
  const Program program = Backend(R"(graph "g" {
    x = f32[512,1024] parameter()
    b = u32[512,1024] bitcast-convert(x)
    m = u32[512,1024] parameter()
    y = u32[512,1024] and(b, m)
    output result y
  })");
  ASSERT_EQ(program.kernels.size(), 1u);
  EXPECT_EQ(program.kernels[0].vector.alu, 512);
}

// A convolution of elements set apart does the products of the input gradient
// of a strided one.
TEST(BaseDilation, CostsNothingForTheZerosBetween) {
  const auto matrix = [](const std::string& op) {
    return Backend(
               "graph \"g\" {\nx = bf16[64,16,16,128] parameter()\n"
               "k = bf16[2,2,128,128] parameter()\ny = " +
               op + "\noutput result y\n}")
        .kernels.back()
        .matrix;
  };
  const MatrixWork gradient =
      matrix("bf16[64,32,32,128] conv-input-grad(x, k), window={size=2x2 stride=2x2}");
  const MatrixWork forward = matrix(
      "bf16[64,32,32,128] convolution(x, k), "
      "window={size=2x2 pad=1_1x1_1 base_dilation=2x2}");
  EXPECT_EQ(forward.useful_flops, gradient.useful_flops);
  EXPECT_EQ(forward.padded_flops, gradient.padded_flops);
}

// Against a count that visits every position.
TEST(BaseDilation, CountsTheProductsOfEveryWindow) {
  for (int64_t base = 1; base < 5; ++base) {
    for (int64_t stride = 1; stride < 5; ++stride) {
      for (const int64_t pad : {-2, 0, 3}) {
        const int64_t out = (9 * base + 1 + 2 * pad - 5) / stride + 1;
        int64_t products = 0;
        for (int64_t at = 0; at < out; ++at) {
          for (int64_t tap = 0; tap < 3; ++tap) {
            const int64_t in = at * stride + 2 * tap - pad;
            products += in >= 0 && in <= 9 * base && in % base == 0 ? 1 : 0;
          }
        }
        const std::string size = std::to_string(out);
        const std::string pads = std::to_string(pad);
        const Program program = Backend(
            "graph \"g\" {\nx = f32[1,10,1] parameter()\n"
            "k = f32[3,1,1] variable()\ny = f32[1," +
            size + ",1] convolution(x, k), window={size=3 stride=" + std::to_string(stride) +
            " pad=" + pads + "_" + pads + " dilation=2 base_dilation=" + std::to_string(base) +
            "}\noutput result y\n}");
        EXPECT_EQ(program.kernels.back().matrix.useful_flops, 2.0 * static_cast<double>(products))
            << base << " " << stride << " " << pad;
      }
    }
  }
}

// One of every kind that a file may have, at odd sizes, through all passes.
TEST(Vocabulary, IsLoweredWhole) {
  const Program program = Backend(R"(graph "g" {
    x = f32[37,5,3] parameter()
    i = s32[37,5,3] convert(x)
    c = c64[37,5,3] complex(x, x)
    e = c64[37,5,3] exponential(c)
    a = f32[37,5,3] imag(e)
    f = pred[37,5,3] is-finite(a)
    s = s32[37,5,3] shift-right-logical(i, i)
    p = s32[37,5,3] popcnt(s)
    r = u32[37,5,3] rng-bits()
    b = u8[37,5,3,4] bitcast-convert(r)
    o = u8[37,3,4] reduce(b), dims={1}, reducer=xor
    m = s32[5,3] arg-reduce(a), dims={0}, reducer=min
    g = f32[5,1,3] gather-slices(x, m), offset_dims={1}, collapsed_dims={1,2}, start_dims={0}, slice_sizes={1,1,1}, index_dim=2
    output result f
    output result p
    output result o
    output result m
  })");
  EXPECT_GE(program.kernels.size(), 3u);
}

// Far more dims than any framework has.
TEST(Vocabulary, HasNoTroubleWithManyDims) {
  std::string ones;
  for (int i = 0; i < 28; ++i) ones += "1,";
  const std::string shape = "f32[8," + ones + "2,4]";
  std::string order;
  for (int i = 30; i > 0; --i) order += std::to_string(i) + ",";
  const Program program = Backend("graph \"g\" {\n  x = " + shape + " parameter()\n  t = f32[4,2," +
                                  ones + "8] transpose(x), dims={" + order + "0}\n  r = f32[4,2," +
                                  ones + "2,4] reshape(t)\n  y = f32[2," + ones +
                                  "2,4] reduce(r), dims={0}\n"
                                  "  output result y\n}");
  EXPECT_GE(program.kernels.size(), 1u);
}

}  // namespace
}  // namespace tilewise
