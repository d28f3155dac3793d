// Tiles and padded sizes, against sizes that out-of-memory messages of real
// programs print (tpu-lowering 1.2).

#include "sim/lowering/layout.h"

#include <gtest/gtest.h>

#include "tests/lowering/backend.h"

namespace tilewise {
namespace {

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kGiB = 1 << 30;

Bytes Padded(DType dtype, const std::vector<int64_t>& sizes, std::vector<int64_t> order,
             int64_t generation = 3) {
  const Chip chip = BackendChip(generation);
  const Shape shape = Shape::Of(dtype, sizes);
  return PaddedBytes(shape, MakeLayout(shape, std::move(order), chip), chip);
}

TEST(PaddedBytes, MatchesPublishedMessages) {
  EXPECT_EQ(Padded(DType::kS32, {8388608, 8, 4}, {2, 1, 0}).value, 32 * kGiB);
  EXPECT_EQ(Padded(DType::kS32, {29360128, 10}, {1, 0}).value, 14 * kGiB);
  EXPECT_EQ(Padded(DType::kU32, {12582912, 1}, {1, 0}).value, 6 * kGiB);
  EXPECT_EQ(Padded(DType::kF32, {128, 256, 896, 18}, {0, 3, 2, 1}).value,
            int64_t{128} * 24 * 896 * 256 * 4);
  EXPECT_EQ(Padded(DType::kF32, {32, 128, 32, 64}, {3, 0, 2, 1}).value, 64 * kMiB);
}

TEST(PaddedBytes, PredTakesFourBytesBeforeGeneration4) {
  EXPECT_EQ(Padded(DType::kPred, {64, 512, 2048}, {2, 1, 0}, 3).value, 256 * kMiB);
  EXPECT_EQ(Padded(DType::kPred, {64, 512, 2048}, {2, 1, 0}, 4).value, 64 * kMiB);
}

// The arguments of relu(xW+b) on v5e: 656 bytes that take 6,656.
TEST(PaddedBytes, CompactTilesOfSmallArguments) {
  const Bytes x = Padded(DType::kF32, {16, 8}, {0, 1}, 5);
  const Bytes w = Padded(DType::kF32, {8, 4}, {0, 1}, 5);
  const Bytes b = Padded(DType::kF32, {4}, {0}, 5);
  EXPECT_EQ((x + w + b).value, 6656);
}

TEST(PaddedBytes, ScalarTakesOneRow) { EXPECT_EQ(Padded(DType::kF32, {}, {}).value, 512); }

TEST(PaddedBytes, EmptyTensorTakesNothing) {
  EXPECT_EQ(Padded(DType::kF32, {0, 8}, {1, 0}).value, 0);
}

TEST(MakeLayout, SmallSecondMinorDimGetsACompactTile) {
  const auto rows = [](DType dtype, int64_t size, int64_t generation) {
    const Shape shape = Shape::Of(dtype, {size, 128});
    return DefaultLayout(shape, BackendChip(generation)).tile_sublanes;
  };
  EXPECT_EQ(rows(DType::kF32, 1, 2), 2);
  EXPECT_EQ(rows(DType::kF32, 1, 4), 1);
  EXPECT_EQ(rows(DType::kF32, 3, 4), 4);
  EXPECT_EQ(rows(DType::kF32, 5, 4), 8);
  EXPECT_EQ(rows(DType::kBF16, 1, 5), 2);
  EXPECT_EQ(rows(DType::kBF16, 100, 5), 8);
  EXPECT_EQ(rows(DType::kBF16, 100, 7), 16);
  EXPECT_EQ(rows(DType::kS8, 100, 5), 32);
}

TEST(MakeLayout, VectorsPadToWholeRows) {
  const Shape shape = Shape::Of(DType::kF32, {10});
  EXPECT_EQ(FormatLayout(DefaultLayout(shape, BackendChip(2))), "{0:T(256)}");
  EXPECT_EQ(FormatLayout(DefaultLayout(shape, BackendChip(5))), "{0:T(128)}");
}

TEST(PaddedSize, OnlyTiledDimsArePadded) {
  const Chip chip = BackendChip();
  const Shape shape = Shape::Of(DType::kF32, {100, 7, 5, 20});
  const Layout layout = MakeLayout(shape, {0, 3, 2, 1}, chip);
  EXPECT_EQ(PaddedSize(shape, layout, 0), 128);
  EXPECT_EQ(PaddedSize(shape, layout, 3), 24);
  EXPECT_EQ(PaddedSize(shape, layout, 1), 7);
  EXPECT_EQ(FormatLayout(layout), "{0,3,2,1:T(8,128)}");
}

TEST(VectorRegisters, NarrowFloatsWidenWithoutABf16VectorUnit) {
  const Shape shape = Shape::Of(DType::kBF16, {64, 128});
  const auto registers = [&](int64_t generation) {
    const Chip chip = BackendChip(generation);
    return VectorRegisters(shape, DefaultLayout(shape, chip), chip);
  };
  EXPECT_EQ(registers(3), 8);
  EXPECT_EQ(registers(6), 4);
}

}  // namespace
}  // namespace tilewise
