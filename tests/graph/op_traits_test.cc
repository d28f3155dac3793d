// What holds of the records of all op kinds.

#include "graph/op_traits.h"

#include <vector>

#include <gtest/gtest.h>

#include "graph/graph.h"

namespace tilewise {
namespace {

std::vector<OpKind> AllKinds() {
  return {
#define TW_OP(enumerator, name, op_class) OpKind::enumerator,
#include "graph/op_kinds.def"
#undef TW_OP
  };
}

TEST(OpTraits, EveryKindHasAShape) {
  for (const OpKind kind : AllKinds()) {
    EXPECT_NE(TraitsOf(kind).shape, nullptr) << OpName(kind);
  }
}

TEST(OpTraits, OnlyLeavesAndRandomNumbersNeedNoOperands) {
  for (const OpKind kind : AllKinds()) {
    if (TraitsOf(kind).operands != 0) continue;
    EXPECT_TRUE(ClassOf(kind) == OpClass::kLeaf || ClassOf(kind) == OpClass::kRandom)
        << OpName(kind);
  }
}

TEST(OpTraits, EveryOpButReshapeLinksItsOperandsToItsResult) {
  for (const OpKind kind : AllKinds()) {
    const bool links = TraitsOf(kind).links != nullptr;
    const bool expected = TraitsOf(kind).operands != 0 && kind != OpKind::kReshape;
    EXPECT_EQ(links, expected) << OpName(kind);
  }
}

TEST(OpTraits, AConditionOnAttributesGoesWithAGradient) {
  for (const OpKind kind : AllKinds()) {
    if (TraitsOf(kind).has_gradient == nullptr) continue;
    EXPECT_NE(TraitsOf(kind).gradient, nullptr) << OpName(kind);
  }
}

double Splat(OpKind kind, DType dtype, const std::vector<double>& values) {
  Op op;
  op.kind = kind;
  op.shape = Shape::Of(dtype, {2});
  return TraitsOf(kind).splat({op, op.shape, values}).value_or(-1);
}

TEST(OpTraits, FunctionsOfSplatsAreThoseOfTheirNames) {
  EXPECT_EQ(Splat(OpKind::kSubtract, DType::kF32, {5, 3}), 2);
  EXPECT_EQ(Splat(OpKind::kRsqrt, DType::kF32, {16}), 0.25);
  EXPECT_EQ(Splat(OpKind::kRoundNearestEven, DType::kF32, {2.5}), 2);
  EXPECT_EQ(Splat(OpKind::kRoundNearestAfz, DType::kF32, {2.5}), 3);
  EXPECT_EQ(Splat(OpKind::kXor, DType::kPred, {1, 0}), 1);
  EXPECT_EQ(Splat(OpKind::kConvert, DType::kS32, {2.7}), 2);
  EXPECT_EQ(Splat(OpKind::kSelect, DType::kF32, {0, 7, 9}), 9);
  EXPECT_EQ(Splat(OpKind::kPad, DType::kF32, {4, 4}), 4);
}

TEST(OpTraits, SplatsThatAreNotKnownAreNotMadeUp) {
  // Integers wrap and divide in their own way.
  EXPECT_EQ(Splat(OpKind::kDivide, DType::kS32, {7, 2}), -1);
  EXPECT_EQ(Splat(OpKind::kPad, DType::kF32, {4, 0}), -1);
  EXPECT_EQ(Splat(OpKind::kBitcastConvert, DType::kS32, {1}), -1);
}

}  // namespace
}  // namespace tilewise
