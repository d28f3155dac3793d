// Functions of the library by the graph ops that they are made of.

#include <map>

#include <gtest/gtest.h>

#include "library/activations.h"
#include "library/attention.h"
#include "library/elementary.h"
#include "library/losses.h"
#include "library/normalizations.h"
#include "library/random.h"

namespace tilewise {
namespace {

class Meaning : public testing::Test {
 protected:
  OpId Input(const std::vector<int64_t>& sizes, DType dtype = DType::kF32) {
    return b_.Parameter(Shape::Of(dtype, sizes), "x");
  }
  std::map<OpKind, int> Kinds() const {
    std::map<OpKind, int> kinds;
    for (OpId id = 0; id < b_.size(); ++id) ++kinds[b_.op(id).kind];
    return kinds;
  }
  GraphBuilder b_{"meaning"};
};

TEST_F(Meaning, SoftplusDoesNotOverflow) {
  Softplus(b_, Input({8}));
  const std::map<OpKind, int> kinds = Kinds();
  EXPECT_EQ(kinds.count(OpKind::kLog), 0u);
  EXPECT_EQ(kinds.at(OpKind::kLogPlusOne), 1);
  EXPECT_EQ(kinds.at(OpKind::kMaximum), 1);
}

TEST_F(Meaning, EluKeepsSmallNumbers) {
  Elu(b_, Input({8}));
  EXPECT_EQ(Kinds().count(OpKind::kExp), 0u);
  EXPECT_EQ(Kinds().at(OpKind::kExpMinusOne), 1);
}

TEST_F(Meaning, LogSigmoidIsMadeOfSoftplus) {
  LogSigmoid(b_, Input({8}));
  EXPECT_EQ(Kinds().count(OpKind::kLogistic), 0u);
  EXPECT_EQ(Kinds().at(OpKind::kLogPlusOne), 1);
}

TEST_F(Meaning, RealNumbersAreTheirOwnConjugates) {
  const OpId x = Input({8});
  EXPECT_EQ(Conjugate(b_, x), x);
  EXPECT_EQ(RealPart(b_, x), x);
  EXPECT_NE(Conjugate(b_, Input({8}, DType::kC64)), x);
  EXPECT_EQ(Kinds().at(OpKind::kComplex), 1);
}

TEST_F(Meaning, IntegersAreDividedTowardsMinusInfinity) {
  const OpId x = Input({8}, DType::kS32);
  FloorDivide(b_, x, Input({8}, DType::kS32));
  EXPECT_EQ(Kinds().count(OpKind::kFloor), 0u);
  EXPECT_EQ(Kinds().at(OpKind::kSelect), 1);
}

TEST_F(Meaning, DropoutSharesNumbersAlongDims) {
  const DroppedOut dropped = Dropout(b_, Input({4, 6, 8}), 0.5, {1});
  EXPECT_EQ(FormatShape(b_.shape(dropped.result)), "f32[4,6,8]");
  for (OpId id = 0; id < b_.size(); ++id) {
    if (b_.op(id).kind != OpKind::kRngUniform) continue;
    EXPECT_EQ(FormatShape(b_.shape(id)), "f32[4,1,8]");
  }
}

TEST_F(Meaning, GroupsLieWhereTheFeaturesLie) {
  const OpId scale = Input({8});
  for (const int64_t dim : {1, -1}) {
    const OpId x = dim == 1 ? Input({2, 8, 5}) : Input({2, 5, 8});
    const OpId y = GroupNorm(b_, x, scale, kNoOp, 4, 1e-5, dim);
    EXPECT_EQ(b_.shape(y), b_.shape(x));
  }
  EXPECT_TRUE(b_.ok()) << b_.status();
  GroupNorm(b_, Input({2, 5, 8}), scale, kNoOp, 3, 1e-5, -1);
  EXPECT_FALSE(b_.ok());
}

TEST_F(Meaning, GroupsOfSixteenBitNumbersAreSummedInThirtyTwo) {
  const OpId y = GroupNorm(b_, Input({2, 8, 5}, DType::kBF16), kNoOp, kNoOp, 4, 1e-5);
  EXPECT_EQ(b_.shape(y).dtype, DType::kBF16);
  for (OpId id = 0; id < b_.size(); ++id) {
    if (b_.op(id).kind != OpKind::kReduce) continue;
    EXPECT_EQ(b_.shape(id).dtype, DType::kF32);
  }
}

TEST_F(Meaning, AWideScaleIsAppliedBeforeTheResultIsNarrowed) {
  const OpId x = Input({4, 8}, DType::kBF16);
  const OpId wide = RmsNorm(b_, x, Input({8}), {-1}, 1e-6);
  EXPECT_EQ(b_.op(wide).kind, OpKind::kConvert);
  const OpId narrow = RmsNorm(b_, x, Input({8}, DType::kBF16), {-1}, 1e-6);
  EXPECT_EQ(b_.op(narrow).kind, OpKind::kMultiply);
  EXPECT_EQ(b_.shape(narrow).dtype, DType::kBF16);
}

TEST_F(Meaning, HeadsAreSetApartAndJoined) {
  const OpId x = Input({2, 5, 12});
  const OpId heads = SplitHeads(b_, x, 3);
  EXPECT_EQ(FormatShape(b_.shape(heads)), "f32[2,5,3,4]");
  EXPECT_EQ(b_.shape(JoinHeads(b_, heads)), b_.shape(x));
  SplitHeads(b_, x, 5);
  EXPECT_FALSE(b_.ok());
}

TEST_F(Meaning, QueriesAreScaledBeforeTheirProduct) {
  const OpId q = Input({2, 5, 3, 4}, DType::kBF16);
  const Attended attended =
      AttendScaledQueries(b_, q, q, q, {.causal = true, .wide = true, .dropout = 0.1});
  ASSERT_TRUE(b_.ok()) << b_.status();
  EXPECT_EQ(b_.shape(attended.result), b_.shape(q));
  EXPECT_EQ(FormatShape(b_.shape(attended.weights)), "bf16[2,3,5,5]");
  EXPECT_EQ(Kinds().at(OpKind::kRngUniform), 1);
  EXPECT_EQ(Kinds().at(OpKind::kDot), 2);
}

TEST_F(Meaning, ALikelihoodIsPickedInEachRow) {
  const OpId y = NegativeLogLikelihood(b_, Input({4, 6, 10}), Input({4, 6}, DType::kS32));
  EXPECT_EQ(FormatShape(b_.shape(y)), "f32[4,6]");
}

}  // namespace
}  // namespace tilewise
