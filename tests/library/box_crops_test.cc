// Crops of images, evaluated against numbers worked out by hand.

#include "library/box_crops.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/evaluator.h"

namespace tilewise {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;

// Of two images of 4 x 4 pixels that count from 0, and of one box.
std::vector<double> Cropped(const std::vector<double>& box, double image, const BoxCrops& crops) {
  GraphBuilder b("test");
  const OpId images = b.Parameter(Shape::Of(DType::kF32, {2, 4, 4, 1}), "x");
  const OpId boxes = b.Parameter(Shape::Of(DType::kF32, {1, 4}), "boxes");
  const OpId of = b.Parameter(Shape::Of(DType::kS32, {1}), "of");
  b.AddOutput(CropBoxes(b, images, boxes, of, crops), Output::Role::kResult);
  const absl::StatusOr<Graph> graph = b.Build();
  if (!graph.ok()) {
    ADD_FAILURE() << Message(graph.status());
    return {};
  }
  reference::Tensor pixels({2, 4, 4, 1});
  for (size_t i = 0; i < 32; ++i) pixels.data[i] = static_cast<double>(i);
  const reference::Tensors leaves = {
      {"x", pixels},
      {"boxes", reference::Tensor({1, 4}, box)},
      {"of", reference::Tensor({1}, image)},
  };
  return reference::Evaluate(*graph, leaves)[0].data;
}

TEST(BoxCrops, MixesTheFourPixelsAroundEachPlace) {
  BoxCrops crops;
  crops.rows = crops.columns = 2;
  // Places 1.5 and 2.5 down, 0.5 and 1.5 across.
  EXPECT_THAT(Cropped({1, 0, 3, 2}, 0, crops), Pointwise(DoubleNear(1e-9), {6.5, 7.5, 10.5, 11.5}));
}

TEST(BoxCrops, TakesTheImageOfTheBoxAndItsScale) {
  BoxCrops crops;
  crops.rows = crops.columns = 1;
  crops.corner = {1, 0, 3, 2};  // x1, y1, x2, y2
  crops.scale_y = crops.scale_x = 4;
  crops.mode = ResizeMode::kNearest;
  EXPECT_THAT(Cropped({0.5, 0, 1, 0.5}, 1, crops), Pointwise(DoubleNear(1e-9), {16.0 + 4 + 3}));
}

TEST(BoxCrops, AnImageAsLargeAsTheBatchIsRefused) {
  GraphBuilder b("test");
  const OpId images =
      b.Parameter({DType::kF32, {{2, false}, BatchDim(), {4, false}, {1, false}}}, "x");
  const OpId boxes = b.Parameter(Shape::Of(DType::kF32, {1, 4}), "boxes");
  const OpId of = b.Parameter(Shape::Of(DType::kS32, {1}), "of");
  CropBoxes(b, images, boxes, of, {});
  EXPECT_THAT(Message(b.status()), HasSubstr("found boxes f32[1,4]"));
}

}  // namespace
}  // namespace tilewise
