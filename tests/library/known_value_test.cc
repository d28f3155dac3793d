// Shape arithmetic on numbers and multiples of the batch.

#include "library/known_value.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace tilewise {
namespace {

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

KnownValue Ints(const std::vector<int64_t>& values) { return KnownVector(values); }

// [factor x batch].
KnownValue Batches(double factor) { return {DType::kS64, {1}, {{factor, true}}}; }

MaybeKnown With(KnownBinaryOp op, const KnownValue& x, const KnownValue& y) {
  return KnownBinary(op, x, y);
}

TEST(KnownValue, ShapesKeepTheirBatch) {
  const KnownValue dims = KnownDims({DType::kF32, {BatchDim(2), {7, false}}});
  ASSERT_EQ(dims.elements.size(), 2U);
  EXPECT_EQ(dims.elements[0], (KnownNumber{2, true}));
  EXPECT_EQ(KnownAsDims(dims), (std::vector<Dim>{BatchDim(2), {7, false}}));
  EXPECT_EQ(KnownSize({DType::kF32, {BatchDim(2), {7, false}}})->elements[0],
            (KnownNumber{14, true}));
}

TEST(KnownValue, MultiplesOfTheBatchAddUpButNumbersDoNotJoinThem) {
  EXPECT_EQ(With(KnownBinaryOp::kAdd, Batches(2), Batches(3)), Batches(5));
  EXPECT_EQ(With(KnownBinaryOp::kAdd, Batches(2), Ints({1})), std::nullopt);
  EXPECT_EQ(With(KnownBinaryOp::kAdd, Batches(2), Ints({0})), Batches(2));
  EXPECT_EQ(With(KnownBinaryOp::kSubtract, Batches(2), Batches(2)), Ints({0}));
  EXPECT_EQ(With(KnownBinaryOp::kMultiply, Ints({3}), Batches(2)), Batches(6));
  EXPECT_EQ(With(KnownBinaryOp::kMultiply, Batches(2), Batches(2)), std::nullopt);
}

TEST(KnownValue, DivisionsOfTheBatchMustComeOut) {
  EXPECT_EQ(With(KnownBinaryOp::kDivide, Batches(6), Ints({3})), Batches(2));
  EXPECT_EQ(With(KnownBinaryOp::kDivide, Batches(6), Ints({4})), std::nullopt);
  EXPECT_EQ(With(KnownBinaryOp::kDivide, Batches(6), Batches(3)), Ints({2}));
  EXPECT_EQ(With(KnownBinaryOp::kModulo, Batches(6), Ints({3})), Ints({0}));
  EXPECT_EQ(With(KnownBinaryOp::kDivide, Ints({1}), Ints({0})), std::nullopt);
}

TEST(KnownValue, ComparisonsHoldForEveryBatchOrAreUnknown) {
  const auto truth = [](const MaybeKnown& x) {
    return x ? static_cast<int>(x->elements[0].value) : -1;
  };
  EXPECT_EQ(truth(With(KnownBinaryOp::kGreater, Batches(2), Ints({1}))), 1);
  EXPECT_EQ(truth(With(KnownBinaryOp::kGreaterEqual, Batches(1), Ints({1}))), 1);
  EXPECT_EQ(truth(With(KnownBinaryOp::kLess, Ints({0}), Batches(1))), 1);
  EXPECT_EQ(truth(With(KnownBinaryOp::kEqual, Batches(1), Ints({-1}))), 0);
  EXPECT_EQ(truth(With(KnownBinaryOp::kEqual, Batches(1), Ints({8}))), -1);
  EXPECT_EQ(truth(With(KnownBinaryOp::kEqual, Batches(2), Batches(2))), 1);
}

TEST(KnownValue, IntegersDivideTowardsZeroOrDown) {
  const KnownValue x = Ints({-7, 7});
  const KnownValue y = Ints({2, -2});
  EXPECT_EQ(With(KnownBinaryOp::kDivide, x, y), Ints({-3, -3}));
  EXPECT_EQ(With(KnownBinaryOp::kFloorDivide, x, y), Ints({-4, -4}));
  EXPECT_EQ(With(KnownBinaryOp::kModulo, x, y), Ints({1, -1}));
  EXPECT_EQ(With(KnownBinaryOp::kRemainder, x, y), Ints({-1, 1}));
}

TEST(KnownValue, SlicesAreThoseOfPython) {
  const KnownValue x = Ints({0, 1, 2, 3, 4});
  EXPECT_EQ(KnownSlice(x, 0, 1, kEnd, 1), Ints({1, 2, 3, 4}));
  EXPECT_EQ(KnownSlice(x, 0, -2, kEnd, 1), Ints({3, 4}));
  EXPECT_EQ(KnownSlice(x, 0, -1, -kEnd, -2), Ints({4, 2, 0}));
  EXPECT_EQ(KnownSlice(x, 0, 3, 1, 1), Ints({}));
  EXPECT_EQ(KnownSlice(x, 0, 0, 5, kEnd), Ints({0}));
  EXPECT_EQ(KnownSlice(x, 0, 0, 5, 0), std::nullopt);
  EXPECT_EQ(KnownSlice(x, 1, 0, 5, 1), std::nullopt);
}

TEST(KnownValue, GathersAndConcatenatesAlongAnyDim) {
  const KnownValue x = *KnownReshape(Ints({0, 1, 2, 3, 4, 5}), {2, 3});
  EXPECT_EQ(KnownGather(x, Ints({2, 0}), 1), KnownReshape(Ints({2, 0, 5, 3}), {2, 2}));
  EXPECT_EQ(KnownGather(x, KnownScalar(-1), 0), Ints({3, 4, 5}));
  EXPECT_EQ(KnownGather(x, KnownScalar(2), 0), std::nullopt);
  const std::array<KnownValue, 2> twice = {x, x};
  EXPECT_EQ(KnownConcat(twice, 1),
            KnownReshape(Ints({0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}), {2, 6}));
  EXPECT_EQ(KnownTranspose(x, {1, 0}), KnownReshape(Ints({0, 3, 1, 4, 2, 5}), {3, 2}));
  EXPECT_EQ(KnownTile(Ints({1, 2}), {2}), Ints({1, 2, 1, 2}));
}

TEST(KnownValue, ReducesOverDims) {
  const KnownValue x = *KnownReshape(Ints({0, 1, 2, 3, 4, 5}), {2, 3});
  EXPECT_EQ(KnownReduce(KnownReducer::kSum, x, {1}, false), Ints({3, 12}));
  EXPECT_EQ(KnownReduce(KnownReducer::kMax, x, {}, false), KnownScalar(5));
  EXPECT_EQ(KnownReduce(KnownReducer::kProduct, Ints({}), {}, false), KnownScalar(1));
  EXPECT_EQ(KnownReduce(KnownReducer::kMax, Ints({}), {}, false), std::nullopt);
}

TEST(KnownValue, RangesThatAreTooLongOrEndlessAreUnknown) {
  EXPECT_EQ(KnownRange(KnownScalar(2), KnownScalar(9), KnownScalar(3)), Ints({2, 5, 8}));
  EXPECT_EQ(KnownRange(KnownScalar(0), KnownScalar(9), KnownScalar(-1)), Ints({}));
  EXPECT_EQ(KnownRange(KnownScalar(0), KnownScalar(1e9), KnownScalar(1)), std::nullopt);
  EXPECT_EQ(KnownRange(KnownScalar(0), KnownScalar(9), KnownScalar(0)), std::nullopt);
  EXPECT_EQ(KnownFill({0, false}, {kEnd, kEnd}, DType::kS64), std::nullopt);
}

TEST(KnownValue, IsAConstantOrACountInTheGraph) {
  GraphBuilder builder("test");
  EXPECT_EQ(builder.op(Materialize(builder, Ints({3, 3}))).kind, OpKind::kConstant);
  EXPECT_EQ(builder.op(Materialize(builder, Ints({0, 1, 2}))).kind, OpKind::kIota);
  EXPECT_EQ(builder.op(Materialize(builder, Ints({2, 3, 4}))).kind, OpKind::kAdd);
  EXPECT_EQ(builder.op(Materialize(builder, Ints({0, 3, 6}))).kind, OpKind::kMultiply);
  const Op& other = builder.op(Materialize(builder, Ints({3, 1})));
  EXPECT_EQ(other.kind, OpKind::kVariable);
  EXPECT_FALSE(other.as<VariableAttrs>().trainable);
  const KnownValue rows = *KnownReshape(Ints({3, 1, 4, 3, 1, 4}), {2, 3});
  const Op& repeated = builder.op(Materialize(builder, rows));
  EXPECT_EQ(repeated.kind, OpKind::kBroadcast);
  EXPECT_EQ(repeated.shape, Shape::Of(DType::kS64, {2, 3}));
  EXPECT_EQ(Materialize(builder, Ints({})), kNoOp);
  EXPECT_FALSE(builder.ok());
}

}  // namespace
}  // namespace tilewise
