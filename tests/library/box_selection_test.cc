// Boxes are sorted, compared with each other, and gone through one by one.

#include "library/box_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using testing::HasSubstr;

TEST(SelectBoxes, GoesThroughAllBoxesOfAllSetsAtOnce) {
  GraphBuilder b("test");
  const OpId boxes = b.Parameter({DType::kF32, {BatchDim(), {100, false}, {4, false}}}, "boxes");
  const OpId scores = b.Parameter({DType::kF32, {BatchDim(), {100, false}}}, "scores");
  const SelectedBoxes made = SelectBoxes(b, boxes, scores, 10, {}, 1);
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ(FormatShape(b.shape(made.indices)), "s32[N,10]");
  EXPECT_EQ(FormatShape(b.shape(made.scores)), "f32[N,10]");
  EXPECT_EQ(FormatShape(b.shape(made.valid)), "s32[N]");
  int64_t in_loop = 0;
  bool compares_pairs = false;
  for (OpId id = 0; id < b.size(); ++id) {
    if (b.op(id).loop.id == 1) {
      ++in_loop;
      EXPECT_EQ(b.op(id).loop.trip_count, 100);
    }
    compares_pairs = compares_pairs || FormatShape(b.shape(id)) == "pred[N,100,100]";
  }
  EXPECT_GT(in_loop, 3);
  EXPECT_TRUE(compares_pairs);
}

TEST(SelectBoxes, RefusesMoreThanThereAre) {
  GraphBuilder b("test");
  const OpId boxes = b.Parameter(Shape::Of(DType::kF32, {1, 5, 4}), "boxes");
  const OpId scores = b.Parameter(Shape::Of(DType::kF32, {1, 5}), "scores");
  SelectBoxes(b, boxes, scores, 6, {}, 1);
  EXPECT_THAT(Message(b.status()), HasSubstr("of which 6 are to be selected"));
}

}  // namespace
}  // namespace tilewise
