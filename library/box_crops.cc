// Positions of samples by arithmetic on the corners, pixels by one row number.

#include "library/box_crops.h"

#include <vector>

#include <fmt/format.h>

#include "library/broadcast.h"
#include "library/gather.h"

namespace tilewise {
namespace {

constexpr int64_t kMostSize = int64_t{1} << 16;

// These are, along one side, the two pixels next to each position, and how far
// it lies from the first.
struct Samples {
  OpId low = kNoOp;   // s32[k, places]
  OpId high = kNoOp;  // s32[k, places]
  OpId part = kNoOp;  // [k, places]
};

class Crops {
 public:
  Crops(GraphBuilder& builder, OpId images, OpId boxes, OpId image_of)
      : b_(builder), images_(images), boxes_(boxes), image_of_(image_of) {}

  OpId Cut(const BoxCrops& crops) {
    const Shape images = b_.shape(images_), boxes = b_.shape(boxes_);
    if (!Fits(images, boxes, crops)) return kNoOp;
    height_ = images.dims[1].factor;
    width_ = images.dims[2].factor;
    const Dim pixels = {images.dims[0].factor * height_ * width_, images.dims[0].per_batch};
    rows_ = b_.Reshape(images_, {pixels, images.dims[3]});
    const bool linear = crops.mode != ResizeMode::kNearest;
    const Samples y = Along(crops.corner[0], crops.corner[2], crops.rows, height_, crops.scale_y);
    const Samples x = Along(crops.corner[1], crops.corner[3], crops.columns, width_, crops.scale_x);
    grid_ = {boxes.dims[0], {crops.rows, false}, {crops.columns, false}};
    const OpId corner = PixelsAt(y.low, x.low);
    if (!linear) return corner;
    const OpId upper = Mixed(corner, PixelsAt(y.low, x.high), x.part, 2);
    const OpId below = PixelsAt(y.high, x.low);
    const OpId lower = Mixed(below, PixelsAt(y.high, x.high), x.part, 2);
    return Mixed(upper, lower, y.part, 1);
  }

 private:
  bool Fits(const Shape& images, const Shape& boxes, const BoxCrops& crops) {
    const bool fits = b_.ok() && images.rank() == 4 && boxes.rank() == 2 &&
                      boxes.dims[1] == Dim{4, false} && !images.dims[1].per_batch &&
                      !images.dims[2].per_batch && IsFloat(images.dtype) && crops.rows >= 1 &&
                      crops.columns >= 1 && crops.rows <= kMostSize && crops.columns <= kMostSize;
    if (!fits) {
      b_.Fail(fmt::format("found boxes {} of {}, expected [k,4] of images", FormatShape(boxes),
                          FormatShape(images)));
    }
    return fits;
  }

  OpId Corner(int64_t which, double scale) {
    const OpId at = b_.SliceDim(boxes_, 1, which, which + 1);
    return WithScalar(b_, OpKind::kMultiply, at, scale);
  }

  Samples Along(int64_t first, int64_t last, int64_t places, int64_t size, double scale) {
    const OpId start = Corner(first, scale);
    const OpId end = Corner(last, scale);
    const Shape shape(b_.shape(boxes_).dtype, {b_.shape(boxes_).dims[0], {places, false}});
    const OpId step = WithScalar(b_, OpKind::kMultiply, b_.Binary(OpKind::kSubtract, end, start),
                                 1 / static_cast<double>(places));
    const OpId number = WithScalar(b_, OpKind::kAdd, b_.Iota(shape, 1), 0.5);
    const OpId first_place = b_.BroadcastTo(start, shape.dims);
    const OpId way = b_.Binary(OpKind::kMultiply, number, b_.BroadcastTo(step, shape.dims));
    const OpId at = b_.Binary(OpKind::kAdd, first_place, way);
    const OpId whole = b_.Unary(OpKind::kFloor, at);
    const auto end_pixel = static_cast<double>(size - 1);
    Samples made;
    made.part = b_.Binary(OpKind::kSubtract, at, whole);
    made.low = Clamp(b_, b_.Convert(whole, DType::kS32), 0, end_pixel);
    made.high = Clamp(b_, WithScalar(b_, OpKind::kAdd, made.low, 1), 0, end_pixel);
    return made;
  }

  OpId PixelsAt(OpId y, OpId x) {
    const OpId image = WithScalar(b_, OpKind::kMultiply, b_.Convert(image_of_, DType::kS32),
                                  static_cast<double>(height_ * width_));
    const OpId row = WithScalar(b_, OpKind::kMultiply, y, static_cast<double>(width_));
    const OpId from = b_.Broadcast(image, grid_, {0});
    const OpId down = b_.Binary(OpKind::kAdd, from, b_.Broadcast(row, grid_, {0, 1}));
    const OpId place = b_.Binary(OpKind::kAdd, down, b_.Broadcast(x, grid_, {0, 2}));
    return b_.Gather(rows_, place);
  }

  // `part` of the way from x to y; it has dims 0 and `dim`.
  OpId Mixed(OpId x, OpId y, OpId part, int64_t dim) {
    const Shape shape = b_.shape(x);
    if (!b_.ok()) return kNoOp;
    const OpId weight = b_.Broadcast(b_.Convert(part, shape.dtype), shape.dims, {0, dim});
    const OpId step = b_.Binary(OpKind::kSubtract, y, x);
    return b_.Binary(OpKind::kAdd, x, b_.Binary(OpKind::kMultiply, weight, step));
  }

  GraphBuilder& b_;
  OpId images_, boxes_, image_of_;
  OpId rows_ = kNoOp;  // all pixels
  int64_t height_ = 0, width_ = 0;
  std::vector<Dim> grid_;
};

}  // namespace

OpId CropBoxes(GraphBuilder& builder, OpId images, OpId boxes, OpId image_of,
               const BoxCrops& crops) {
  return Crops(builder, images, boxes, image_of).Cut(crops);
}

}  // namespace tilewise
