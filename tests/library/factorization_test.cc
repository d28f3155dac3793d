// Factorizations as loops over the columns of blocks and products between them:
// their shapes, their loops and how much they compute.

#include "library/factorization.h"

#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FactorizationTest : public testing::Test {
 protected:
  OpId Matrix(std::vector<int64_t> dims) {
    return b_.Parameter(Shape::Of(DType::kF32, std::move(dims)), "x");
  }
  std::string ShapeOf(OpId id) const { return FormatShape(b_.shape(id)); }

  // Of each loop, in order.
  std::vector<int64_t> Iterations() const {
    std::vector<int64_t> trips;
    int32_t last = 0;
    for (OpId id = 0; id < b_.size(); ++id) {
      const EnclosingLoop& loop = b_.op(id).loop;
      if (loop.id != 0 && loop.id != last) trips.push_back(loop.trip_count);
      last = loop.id;
    }
    return trips;
  }

  int64_t Count(OpKind kind) const {
    int64_t count = 0;
    for (OpId id = 0; id < b_.size(); ++id) {
      count += b_.op(id).kind == kind ? 1 : 0;
    }
    return count;
  }

  GraphBuilder b_{"test"};
  int32_t loops_ = 0;
  Factorization f_{b_, {}, [this] { return ++loops_; }};
};

TEST_F(FactorizationTest, CholeskyGoesBlockByBlock) {
  const OpId l = f_.Cholesky(Matrix({5, 300, 300}), true);
  ASSERT_TRUE(b_.ok()) << b_.status();
  EXPECT_EQ(ShapeOf(l), "f32[5,300,300]");
  // Columns of a block, then the rows of its inverse but the first.
  EXPECT_THAT(Iterations(), ElementsAre(128, 127, 128, 127, 44));
}

TEST_F(FactorizationTest, UpperIsTheTransposeOfLower) {
  const OpId u = f_.Cholesky(Matrix({8, 8}), false);
  ASSERT_TRUE(b_.ok()) << b_.status();
  EXPECT_EQ(b_.op(u).kind, OpKind::kTranspose);
}

TEST_F(FactorizationTest, SolvesInvertAllBlocksInOneLoop) {
  for (const bool left : {true, false}) {
    for (const bool lower : {true, false}) {
      const OpId a = Matrix({2, 300, 300});
      const OpId b = left ? Matrix({2, 300, 7}) : Matrix({2, 7, 300});
      const OpId x = f_.TriangularSolve(a, b, left, lower, left != lower);
      ASSERT_TRUE(b_.ok()) << b_.status();
      EXPECT_EQ(ShapeOf(x), ShapeOf(b));
    }
  }
  EXPECT_THAT(Iterations(), ElementsAre(127, 127, 127, 127));
}

TEST_F(FactorizationTest, ABatchStaysOpen) {
  const OpId a = b_.Parameter({DType::kF32, {BatchDim(), {160, false}, {160, false}}}, "a");
  EXPECT_EQ(ShapeOf(f_.Cholesky(a, true)), "f32[N,160,160]");
  EXPECT_TRUE(b_.ok()) << b_.status();
}

TEST_F(FactorizationTest, QrKeepsTheShapeAndHasFactors) {
  const Factorization::Reflections qr = f_.Qr(Matrix({4, 200, 150}));
  ASSERT_TRUE(b_.ok()) << b_.status();
  EXPECT_EQ(ShapeOf(qr.a), "f32[4,200,150]");
  EXPECT_EQ(ShapeOf(qr.taus), "f32[4,150]");
  const OpId q = f_.HouseholderProduct(qr.a, qr.taus);
  ASSERT_TRUE(b_.ok()) << b_.status();
  EXPECT_EQ(ShapeOf(q), "f32[4,200,150]");
}

TEST_F(FactorizationTest, LuExchangesRowsBlockByBlock) {
  const Factorization::Triangles lu = f_.Lu(Matrix({3, 200, 300}));
  ASSERT_TRUE(b_.ok()) << b_.status();
  EXPECT_EQ(ShapeOf(lu.a), "f32[3,200,300]");
  EXPECT_EQ(ShapeOf(lu.pivots), "s32[3,200]");
  EXPECT_EQ(ShapeOf(lu.permutation), "s32[3,200]");
  // Columns of a block, then the rows of the inverse of its triangle.
  EXPECT_THAT(Iterations(), ElementsAre(128, 127, 72, 71));
}

TEST_F(FactorizationTest, LuOfTallMatricesIsOneBlock) {
  const Factorization::Triangles lu = f_.Lu(Matrix({300, 100}));
  ASSERT_TRUE(b_.ok()) << b_.status();
  EXPECT_EQ(ShapeOf(lu.a), "f32[300,100]");
  EXPECT_EQ(ShapeOf(lu.permutation), "s32[300]");
  EXPECT_THAT(Iterations(), ElementsAre(100));
}

TEST_F(FactorizationTest, EigenvaluesTakeRoundsOfRotations) {
  for (const int64_t n : {1, 2, 5}) {
    const Factorization::Eigen eigen = f_.Eigh(Matrix({4, n, n}));
    ASSERT_TRUE(b_.ok()) << b_.status();
    EXPECT_EQ(b_.shape(eigen.vectors), Shape::Of(DType::kF32, {4, n, n}));
    EXPECT_EQ(b_.shape(eigen.values), Shape::Of(DType::kF32, {4, n}));
  }
  // One sweep of one round, three of five: an odd row is filled up.
  EXPECT_THAT(Iterations(), ElementsAre(1, 15));
}

TEST_F(FactorizationTest, SingularValuesReflectAndRotateEveryPair) {
  const Factorization::Singular wide = f_.Svd(Matrix({2, 4, 6}));
  ASSERT_TRUE(b_.ok()) << b_.status();
  EXPECT_EQ(ShapeOf(wide.u), "f32[2,4,4]");
  EXPECT_EQ(ShapeOf(wide.values), "f32[2,4]");
  EXPECT_EQ(ShapeOf(wide.v), "f32[2,6,6]");
  // Two sweeps of six pairs.
  EXPECT_THAT(Iterations(), ElementsAre(4, 12));
}

TEST_F(FactorizationTest, InversesSolvesAndDeterminantsAreMadeOfQr) {
  const OpId a = Matrix({2, 40, 40});
  EXPECT_EQ(ShapeOf(f_.Inverse(a)), "f32[2,40,40]");
  EXPECT_EQ(ShapeOf(f_.Solve(a, Matrix({2, 40, 3}))), "f32[2,40,3]");
  EXPECT_EQ(ShapeOf(f_.Determinant(a)), "f32[2]");
  EXPECT_TRUE(b_.ok()) << b_.status();
}

TEST_F(FactorizationTest, ProductsAreOfTheHighestPrecision) {
  f_.Cholesky(Matrix({200, 200}), true);
  ASSERT_GT(Count(OpKind::kDot), 0);
  for (OpId id = 0; id < b_.size(); ++id) {
    if (b_.op(id).kind != OpKind::kDot) continue;
    EXPECT_EQ(b_.op(id).as<DotAttrs>().precision_passes, 6);
  }
}

TEST_F(FactorizationTest, RefusesWhatTheExpandersDoNotTake) {
  f_.Cholesky(Matrix({4, 5}), true);
  EXPECT_THAT(Message(b_.status()), HasSubstr("expected square matrices"));
}

TEST_F(FactorizationTest, RefusesMatricesOfTooManyBlocks) {
  f_.Cholesky(Matrix({20000, 20000}), true);
  EXPECT_THAT(Message(b_.status()), HasSubstr("of at most 16384 rows"));
}

}  // namespace
}  // namespace tilewise
