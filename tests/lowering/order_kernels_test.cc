// Work of sorts, top-k, running reductions, dynamic slices and random numbers.

#include "sim/lowering/ops/sort.h"
#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

Program Body(const std::string& body) {
  return Backend("graph \"g\" {\n" + body + "\noutput result y\n}");
}

const Kernel& OnlyKernel(const Program& program) {
  EXPECT_EQ(program.kernels.size(), 1u);
  return program.kernels[0];
}

TEST(LowerSort, WorkGrowsWithTheSquareOfTheLogarithm) {
  const Program small = Body("x = f32[8,1024] parameter()\ny = f32[8,1024] sort(x), dims={1}");
  const Program large = Body("x = f32[8,65536] parameter()\ny = f32[8,65536] sort(x), dims={1}");
  EXPECT_EQ(OnlyKernel(small).kind, KernelKind::kSort);
  // 55 and 136 stages of 8 and 512 registers.
  const double ratio = OnlyKernel(large).vector.loads / OnlyKernel(small).vector.loads;
  EXPECT_NEAR(ratio, 64.0 * 136 / 55, 1);
}

TEST(LowerSort, LargeRowsPassThroughHbmSeveralTimes) {
  const Chip chip = BackendChip();
  EXPECT_EQ(SortPasses(1024, {8 * 1024 * 4}, 8, chip), 1);
  // 2^20 elements of 4 bytes are a block of the budget; 2^22 take two phases
  // more: 1 + 2 + 3 passes.
  EXPECT_EQ(SortPasses(int64_t{1} << 22, {int64_t{16} << 20}, 1, chip), 6);
}

TEST(LowerSort, KeysAndValuesAreOneKernel) {
  const Program program = Body(
      "k = f32[8,1024] parameter()\nv = s32[8,1024] parameter()\n"
      "a = f32[8,1024] sort(k, v), dims={1}\n"
      "y = s32[8,1024] sort(k, v), dims={1}, result=1\noutput result a");
  EXPECT_EQ(OnlyKernel(program).outputs.size(), 2u);
  const Program keys = Body(
      "k = f32[8,1024] parameter()\nv = s32[8,1024] parameter()\n"
      "y = f32[8,1024] sort(k, v), dims={1}");
  EXPECT_EQ(OnlyKernel(program).vector.alu, OnlyKernel(keys).vector.alu);
}

TEST(LowerTopK, IsMuchCheaperThanASort) {
  const Program sort = Body("x = f32[8,131072] parameter()\ny = f32[8,131072] sort(x), dims={1}");
  const Program top = Body(
      "x = f32[8,131072] parameter()\nv = f32[8,64] top-k(x), k=64\n"
      "y = s32[8,64] top-k(x), k=64, result=1\noutput result v");
  EXPECT_LT(3 * OnlyKernel(top).vector.alu, OnlyKernel(sort).vector.alu);
  EXPECT_EQ(OnlyKernel(top).outputs.size(), 2u);
  EXPECT_EQ(OnlyKernel(top).hbm_read.value, 8 * 131072 * 4);
}

TEST(LowerCumulative, TakesLogarithmicStepsAlongTheLanes) {
  const Program program = Body(
      "x = f32[64,128] parameter()\ny = f32[64,128] cumulative(x), "
      "dims={1}");
  EXPECT_EQ(OnlyKernel(program).vector.cross_lane, 8 * 8);  // 7 steps + carry
  EXPECT_EQ(OnlyKernel(program).hbm_read.value, 64 * 128 * 4);
}

TEST(LowerDynamicSlice, ReadsOnlyThePart) {
  const Program program = Body(
      "x = f32[64,512,128] parameter()\ni = s32[] parameter()\n"
      "y = f32[1,512,128] dynamic-slice(x, i), dims={0}");
  EXPECT_LT(OnlyKernel(program).hbm_read.value, 512 * 128 * 4 + 8192);
  EXPECT_EQ(OnlyKernel(program).vector.cross_lane, 0);
}

TEST(LowerDynamicUpdateSlice, WritesOnlyThePartOfAVariable) {
  const Program program = Backend(R"(graph "g" {
    cache = bf16[8,2048,128] variable(), trainable=false
    row = bf16[8,1,128] parameter()
    i = s32[] parameter()
    y = bf16[8,2048,128] dynamic-update-slice(cache, row, i), dims={1}
    output state y of cache
  })");
  EXPECT_LT(OnlyKernel(program).hbm_write.value, 8 * 2048 * 128 * 2 / 16);
  EXPECT_LT(OnlyKernel(program).hbm_read.value, 8 * 2048 * 128 * 2 / 16);
}

TEST(LowerRandom, NormalsAreDearerThanUniforms) {
  const Program uniform = Body("y = f32[1024,1024] rng-uniform()");
  const Program normal = Body("y = f32[1024,1024] rng-normal()");
  EXPECT_EQ(OnlyKernel(uniform).vector.alu, 6 * 1024);
  EXPECT_EQ(OnlyKernel(normal).vector.alu, 97 * 1024);
}

}  // namespace
}  // namespace tilewise
