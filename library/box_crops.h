// Parts of images cut out by boxes that are data, resampled to one size: four
// gathers of pixels and their weighted sum, each pixel a row of features. XLA
// has no op for it.

#pragma once

#include <array>

#include "graph/graph_builder.h"
#include "library/resize.h"

namespace tilewise {

struct BoxCrops {
  int64_t rows = 1, columns = 1;                 // of the result
  std::array<int64_t, 4> corner = {0, 1, 2, 3};  // where y1, x1, y2, x2 are
  double scale_y = 1, scale_x = 1;               // from boxes to pixels
  ResizeMode mode = ResizeMode::kLinear;
};

// `images` [n, height, width, features], `boxes` [k, 4], `image_of` s32[k]: the
// image of each box. The result: [k, rows, columns, features].
OpId CropBoxes(GraphBuilder& builder, OpId images, OpId boxes, OpId image_of,
               const BoxCrops& crops);

}  // namespace tilewise
