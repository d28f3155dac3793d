// Shapes, their text and their sizes.

#include "graph/shape.h"

#include <gtest/gtest.h>

namespace tilewise {
namespace {

TEST(Shape, PrintsBatchDimsAsN) {
  const Shape shape(DType::kBF16, {BatchDim(), {28, false}, BatchDim(4)});
  EXPECT_EQ(FormatShape(shape), "bf16[N,28,4N]");
  EXPECT_EQ(FormatShape({DType::kF32, {}}), "f32[]");
}

TEST(Shape, BindsFactorsToTheBatch) {
  const Shape shape(DType::kF32, {BatchDim(3), {7, false}});
  const Shape bound = shape.Bound(8);
  EXPECT_EQ(bound, Shape::Of(DType::kF32, {24, 7}));
  EXPECT_EQ(bound.elements(), 168);
  EXPECT_EQ(bound.unpadded_bytes().value, 672);
  EXPECT_FALSE(shape.is_static());
  EXPECT_TRUE(bound.is_static());
}

TEST(DType, ReadsXlaAndFrameworkNames) {
  EXPECT_EQ(ParseDType("float32"), DType::kF32);
  EXPECT_EQ(ParseDType("half"), DType::kF16);
  EXPECT_EQ(ParseDType("bool"), DType::kPred);
  EXPECT_EQ(ParseDType("bfloat16"), DType::kBF16);
  EXPECT_EQ(ParseDType("complex32"), std::nullopt);
}

TEST(DType, PrintedNameReadsBack) {
  for (int i = 0; i <= static_cast<int>(DType::kC128); ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_EQ(ParseDType(DTypeName(dtype)), dtype);
  }
}

TEST(DType, HasItsStoredWidth) {
  EXPECT_EQ(BitWidth(DType::kPred), 8);
  EXPECT_EQ(BitWidth(DType::kBF16), 16);
  EXPECT_EQ(BitWidth(DType::kF64), 64);
  EXPECT_EQ(BitWidth(DType::kS4), 4);
  EXPECT_EQ(BitWidth(DType::kF8E5M2), 8);
  EXPECT_EQ(Shape::Of(DType::kS4, {3, 3}).unpadded_bytes().value, 5);
}

}  // namespace
}  // namespace tilewise
