// What follows from known numbers: the arithmetic of shapes, written out in ops.

#include "library/fold.h"

#include <gtest/gtest.h>

#include "library/broadcast.h"
#include "library/elementary.h"
#include "library/gather.h"
#include "library/rearrange.h"
#include "library/reductions.h"

namespace tilewise {
namespace {

// [batch, 6, 4], the sizes of an operand.
KnownValue Sizes() { return {DType::kS64, {3}, {{1, true}, {6, false}, {4, false}}}; }

// What `make` computes of the sizes.
template <typename Make>
MaybeKnown Folded(const Make& make) {
  GraphBuilder b("test");
  const KnownValue sizes = Sizes();
  const OpId x = b.Variable(Shape::Of(DType::kS64, {3}), "sizes", false);
  const OpId first(b.size());
  const OpId y = make(b, x);
  EXPECT_TRUE(b.ok()) << b.status();
  const KnownOp known[] = {{x, &sizes}};
  const auto values = FoldedResults(b, first, known, std::span(&y, 1));
  return values ? MaybeKnown((*values)[0]) : std::nullopt;
}

TEST(Fold, SlicesAndJoinsKeepTheBatch) {
  const MaybeKnown joined = Folded([](GraphBuilder& b, OpId x) {
    const OpId rows = b.SliceDim(x, 0, 0, 1);
    const OpId rest = ReduceOf(b, Reduction::kProduct, b.SliceDim(x, 0, 1, 3), {0}, true);
    return b.Concatenate({rows, rest}, 0);
  });
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->elements, (std::vector<KnownNumber>{{1, true}, {24, false}}));
}

TEST(Fold, FloorDivisionNeedsOneSideOfItsSelectionAlone) {
  const MaybeKnown halves = Folded([](GraphBuilder& b, OpId x) {
    const OpId twice = b.BinaryScalar(OpKind::kMultiply, x, 2);
    return FloorDivide(b, twice, FilledLike(b, twice, 2));
  });
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->elements, Sizes().elements);
}

TEST(Fold, TakesElements) {
  const MaybeKnown last = Folded([](GraphBuilder& b, OpId x) { return ElementAlong(b, x, 2, 0); });
  ASSERT_TRUE(last);
  EXPECT_EQ(KnownInteger(*last), 4);
  const MaybeKnown back =
      Folded([](GraphBuilder& b, OpId x) { return StridedSlice(b, x, 0, -1, -4, -1); });
  ASSERT_TRUE(back);
  EXPECT_EQ(back->elements[2], (KnownNumber{1, true}));
}

TEST(Fold, WhatDependsOnTheBatchOtherwiseIsNotKnown) {
  EXPECT_FALSE(Folded([](GraphBuilder& b, OpId x) { return b.BinaryScalar(OpKind::kAdd, x, 1); }));
}

TEST(Fold, AnOperandThatIsNotKnownIsNotGuessed) {
  EXPECT_FALSE(Folded([](GraphBuilder& b, OpId x) {
    const OpId other = b.Parameter(Shape::Of(DType::kS64, {3}), "other");
    return b.Binary(OpKind::kAdd, x, other);
  }));
}

}  // namespace
}  // namespace tilewise
