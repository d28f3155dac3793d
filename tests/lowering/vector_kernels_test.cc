// Vector kernels: conversions of float16, windows as the compiler cuts them,
// whole registers of rank 1, and copies that need no vector unit.

#include <string>

#include <gtest/gtest.h>

#include "sim/lowering/tile_selection/even_tiles.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

constexpr double kRegister = 1024;  // f32 values

Program Unary(std::string_view dtype, std::string_view dims, std::string_view op) {
  const std::string type = std::string(dtype) + "[" + std::string(dims) + "]";
  return Backend("graph \"g\" {\n  x = " + type + " parameter()\n  y = " + type + " " +
                 std::string(op) + "(x)\n  output result y\n}");
}

TEST(HalfFloat, IsUnpackedForEachInputAndPackedForEachResult) {
  const Program program = Backend(R"(graph "g" {
    x = f16[256,1024] parameter()
    y = f16[256,1024] parameter()
    z = f16[256,1024] add(x, y)
    output result z
  })");
  const double registers = 256 * 1024 / kRegister;
  EXPECT_EQ(program.kernels[0].vector.alu, registers * (16 + 16 + 1 + 19));
}

TEST(HalfFloat, CostsNothingExtraInOtherTypes) {
  EXPECT_EQ(Unary("f32", "256,1024", "negate").kernels[0].vector.alu, 256);
  EXPECT_EQ(Unary("bf16", "256,1024", "negate").kernels[0].vector.alu, 256);
}

TEST(HalfFloat, IsMovedWithoutConversion) {
  const Program program = Backend(R"(graph "g" {
    x = f16[1024,512] parameter()
    y = f16[512,512] slice(x), starts={0,0}, limits={512,512}, strides={1,1}
    output result y
  })");
  EXPECT_LE(program.kernels[0].vector.alu, 1024 * 512 / kRegister);
}

TEST(HalfFloat, FillsF32RegistersEvenWhereBf16HasArithmetic) {
  const Shape f16{DType::kF16, {{64}, {1024}}};
  const Shape bf16{DType::kBF16, {{64}, {1024}}};
  const Chip chip = BackendChip(6);
  EXPECT_EQ(VectorRegisters(f16, DefaultLayout(f16, chip), chip), 64);
  EXPECT_EQ(VectorRegisters(bf16, DefaultLayout(bf16, chip), chip), 32);
}

TEST(Division, InvertsADivisorOncePerRow) {
  const auto alu = [](std::string_view divisor) {
    return Backend("graph \"g\" {\n  x = f32[1024,1024] parameter()\n" + std::string(divisor) +
                   "  y = f32[1024,1024] divide(x, d)\n  output result y\n}")
        .kernels[0]
        .vector.alu;
  };
  const double each = alu("  d = f32[1024,1024] parameter()\n");
  const double rows =
      alu("  r = f32[1024] parameter()\n"
          "  d = f32[1024,1024] broadcast(r), dims={0}\n");
  const double registers = 1024 * 1024 / kRegister;
  EXPECT_EQ(each, 14 * registers);
  EXPECT_LT(rows, 1.1 * registers);
}

TEST(VectorRegisters, AreWholeForRankOne) {
  const Shape f16{DType::kF16, {{300}}};
  const Shape f32{DType::kF32, {{1500}}};
  const Chip chip = BackendChip(4);
  EXPECT_EQ(VectorRegisters(f16, DefaultLayout(f16, chip), chip), 2);
  EXPECT_EQ(VectorRegisters(f32, DefaultLayout(f32, chip), chip), 2);
}

TEST(Copy, ThatKeepsItsLayoutIsDmaAlone) {
  const VectorWork work = Unary("bf16", "1024,1024", "copy").kernels[0].vector;
  EXPECT_EQ(work.alu + work.loads + work.stores + work.cross_lane, 0);
}

int64_t StepsOf(const Program& program) {
  EXPECT_EQ(program.kernels.size(), 1u);
  return program.kernels[0].windows.steps;
}

TEST(WantedSteps, IsOneForASingleInstruction) {
  EXPECT_EQ(StepsOf(Unary("f32", "512,1024", "tanh")), 1);
}

TEST(WantedSteps, SplitsALogisticAsItsFormula) {
  // 4 + 1 instructions on each of 512 registers, 2 slots: 1280 cycles.
  EXPECT_EQ(StepsOf(Unary("f32", "512,1024", "logistic")), 2);
  EXPECT_EQ(StepsOf(Unary("f32", "128,1024", "logistic")), 1);
}

TEST(WantedSteps, DoublesWhileEachHalfIsLongEnough) {
  Target target = BackendTarget();
  constexpr std::string_view kText = R"(graph "g" {
    x = f32[512,1024] parameter()
    y = f32[512,1024] exponential(x)
    z = f32[512,1024] negate(y)
    output result z
  })";
  int64_t last = 0;
  for (const double cycles : {1e6, 180.0, 40.0, 10.0}) {
    target.chip.window_split_cycles = cycles;
    const int64_t steps = StepsOf(Backend(kText, target));
    EXPECT_GT(steps, last) << cycles;
    last = steps;
  }
}

TEST(SplitEvenly, TakesAtLeastWhatTheBudgetNeeds) {
  const Chip chip = BackendChip();
  Kernel kernel;
  kernel.hbm_read = {10 * chip.vmem_window_budget.value};
  SplitEvenly(kernel, chip);
  EXPECT_EQ(kernel.windows.steps, 20);
  EXPECT_EQ(kernel.windows.buffers, 2);
  SplitEvenly(kernel, chip, 64);
  EXPECT_EQ(kernel.windows.steps, 64);
}

// Rotations of registers for each register of the result.
double RotationsOfReverse(const std::string& dim) {
  const Program program = Backend(
      "graph \"g\" {\n  x = f32[16,64,256] parameter(), layout={2,1,0}\n"
      "  y = f32[16,64,256] reverse(x), dims={" +
      dim + "}\n  output result y\n}");
  return program.kernels[0].vector.cross_lane / (16 * 64 * 256 / kRegister);
}

TEST(Reverse, AlongLanesRotatesForEachLane) {
  EXPECT_EQ(RotationsOfReverse("2"), 128);
  EXPECT_EQ(RotationsOfReverse("0"), 0);
}

}  // namespace
}  // namespace tilewise
