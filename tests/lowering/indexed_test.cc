// What gathers and scatters of slices move, and how.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

const Kernel& OnlyIndexed(const Program& program) {
  for (const Kernel& kernel : program.kernels) {
    if (kernel.kind == KernelKind::kIndexed) return kernel;
  }
  ADD_FAILURE() << "no kernel that gathers or scatters";
  return program.kernels.front();
}

constexpr std::string_view kTable = "graph \"g\" {\n  t = f32[5000,256] parameter()\n";

Program Gathered(const std::string& rest) {
  return Backend(std::string(kTable) + rest + "  output result y\n}");
}

TEST(GatherSlices, OfRowsMovesWhatAGatherOfRowsDoes) {
  const Program rows = Gathered("  i = s32[640] parameter()\n  y = f32[640,256] gather(t, i)\n");
  const Program slices = Gathered(
      "  i = s32[640] parameter()\n"
      "  y = f32[640,256] gather-slices(t, i), offset_dims={1}, "
      "collapsed_dims={0}, start_dims={0}, slice_sizes={1,256}, index_dim=1\n");
  const Kernel& a = OnlyIndexed(rows);
  const Kernel& b = OnlyIndexed(slices);
  EXPECT_EQ(a.hbm_read, b.hbm_read);
  EXPECT_EQ(a.hbm_write, b.hbm_write);
  EXPECT_EQ(a.dma_row_efficiency, b.dma_row_efficiency);
  EXPECT_EQ(a.vector.alu, b.vector.alu);
}

TEST(GatherSlices, OfWholeTilesLieTogether) {
  const Program program = Gathered(
      "  i = s32[10] parameter()\n"
      "  y = f32[10,64,256] gather-slices(t, i), offset_dims={1,2}, "
      "start_dims={0}, slice_sizes={64,256}, index_dim=1\n");
  const Bytes indices =
      PaddedBytes(Shape::Of(DType::kS32, {10}),
                  OpNamed(program, "i").id >= 0 ? program.layouts[1] : Layout(), BackendChip());
  EXPECT_EQ(OnlyIndexed(program).hbm_read.value, indices.value + 10 * 64 * 256 * 4);
}

TEST(GatherSlices, OfSingleElementsWasteMostOfEachTransfer) {
  Target target = BackendTarget();
  target.chip.dma_min_row_bytes = 512;
  const Program program = Backend(std::string(kTable) +
                                      "  i = s32[5000,3] parameter()\n"
                                      "  y = f32[5000,3] gather-slices(t, i), collapsed_dims={1}, "
                                      "start_dims={1}, operand_batch={0}, indices_batch={0}, "
                                      "slice_sizes={1,1}, index_dim=2\n  output result y\n}",
                                  target);
  const Kernel& kernel = OnlyIndexed(program);
  EXPECT_EQ(kernel.dma_row_efficiency, 4.0 / 512);
}

// Cycles of one core.
double LoopCycles(const std::string& op, double sparse_core_row = 0) {
  Target target = BackendTarget(5);
  target.chip.indexed.sparse_core_row = sparse_core_row;
  const Program program =
      Backend("graph \"g\" {\n  i = s32[1000] parameter()\n" + op + "  output result y\n}", target);
  return OnlyIndexed(program).vector.alu / target.chip.vector_alu_slots;
}

std::string GatherOf(int64_t features) {
  return fmt::format("  t = bf16[5000,{0}] parameter()\n  y = bf16[1000,{0}] gather(t, i)\n",
                     features);
}

std::string ScatterAddOf(int64_t features) {
  return fmt::format(
      "  u = bf16[1000,{0}] parameter()\n"
      "  y = bf16[5000,{0}] scatter-add(i, u)\n",
      features);
}

TEST(Gather, TakesACycleForEachPieceOfARow) {
  const double narrow = LoopCycles(GatherOf(128));
  EXPECT_EQ(LoopCycles(GatherOf(2048)) - narrow, 15 * 1000);
  EXPECT_EQ(LoopCycles(GatherOf(64)), narrow);
}

TEST(Gather, LeavesTheRowsToSparseCoresWhereTheyAre) {
  EXPECT_EQ(LoopCycles(GatherOf(2048), 3), 3 * 1000);
  EXPECT_EQ(LoopCycles(ScatterAddOf(128), 3), LoopCycles(ScatterAddOf(128)));
}

TEST(ScatterAdd, TakesLongerThanAGatherTheWiderTheRows) {
  const double once = LoopCycles(ScatterAddOf(1024)) - LoopCycles(GatherOf(1024));
  EXPECT_GT(once, 0);
  EXPECT_EQ(LoopCycles(ScatterAddOf(2048)) - LoopCycles(GatherOf(2048)), 2 * once);
}

TEST(GatherSlices, OfSeveralRowsTakeThemByTheRegister) {
  const auto slices = [](int64_t rows) {
    return fmt::format(
        "  t = f32[5000,256] parameter()\n"
        "  y = f32[1000,{0},256] gather-slices(t, i), offset_dims={{1,2}}, "
        "start_dims={{0}}, slice_sizes={{{0},256}}, index_dim=1\n",
        rows);
  };
  EXPECT_EQ(LoopCycles(slices(8)), LoopCycles(slices(2)));
  EXPECT_EQ(LoopCycles(slices(64)) - LoopCycles(slices(8)), 7 * 2 * 1000);
}

constexpr std::string_view kScatter =
    "  i = s32[16,1] parameter()\n  u = f32[16,256] parameter()\n"
    "  y = f32[5000,256] scatter-slices(s, i, u), offset_dims={1}, "
    "collapsed_dims={0}, start_dims={0}, index_dim=1";

TEST(ScatterSlices, CopiesAnInputButNotATemporary) {
  const Program input =
      Gathered("  s = f32[5000,256] optimization-barrier(t)\n" + std::string(kScatter) + "\n");
  const Program temporary =
      Gathered("  s = f32[5000,256] sine(t)\n" + std::string(kScatter) + "\n");
  constexpr int64_t kTableBytes = 5000 * 256 * 4;
  EXPECT_GT(OnlyIndexed(input).hbm_write.value, kTableBytes);
  EXPECT_EQ(OnlyIndexed(temporary).hbm_write.value, 16 * 256 * 4);
}

TEST(ScatterSlices, ThatReplaceDoNotReadTheOldRows) {
  const std::string temporary = "  s = f32[5000,256] sine(t)\n";
  const Program adds = Gathered(temporary + std::string(kScatter) + "\n");
  const Program sets = Gathered(temporary + std::string(kScatter) + ", assign=true\n");
  EXPECT_EQ(OnlyIndexed(adds).hbm_read.value - OnlyIndexed(sets).hbm_read.value, 16 * 256 * 4);
}

// Cycles for each of 1,000 elements that are put at places of two indices.
double CyclesOfPut(const std::string& promise) {
  const Target target = BackendTarget(5);
  const Program program = Backend(
      "graph \"g\" {\n  x = f32[100,500] parameter()\n  i = s32[1000,2] parameter()\n"
      "  u = f32[1000] parameter()\n  y = f32[100,500] scatter-slices(x, i, u), "
      "collapsed_dims={0,1}, start_dims={0,1}, index_dim=1, assign=true" +
          promise + "\n  output result y\n}",
      target);
  return OnlyIndexed(program).vector.alu / target.chip.vector_alu_slots / 1000;
}

TEST(ScatterSlices, WaitsForEachRowUnlessThePlacesArePromisedToDiffer) {
  const IndexedCycles costs = BackendTarget(5).chip.indexed;
  EXPECT_DOUBLE_EQ(CyclesOfPut(""), costs.row + costs.put + costs.serial);
  EXPECT_DOUBLE_EQ(CyclesOfPut(", promised=true"), costs.row + costs.put);
}

TEST(ScatterSlices, TheCopyOfTheOldValueIsOneLongTransfer) {
  Target target = BackendTarget(5);
  target.chip.dma_min_row_bytes = 512;
  const Program program = Backend(
      "graph \"g\" {\n  x = f32[1024,1024] parameter()\n  i = s32[8,2] parameter()\n"
      "  u = f32[8] parameter()\n  y = f32[1024,1024] scatter-slices(x, i, u), "
      "collapsed_dims={0,1}, start_dims={0,1}, index_dim=1, assign=true\n  output result y\n}",
      target);
  EXPECT_GT(OnlyIndexed(program).dma_row_efficiency, 0.99);
}

}  // namespace
}  // namespace tilewise
