// Images at another size, and the gradients of that.

#include "library/resize.h"

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kSpace[] = {1, 2};

absl::Status CheckImages(const Shape& shape) {
  if (shape.rank() == 4 && !shape.dims[1].per_batch && !shape.dims[2].per_batch) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found {}, expected images of rank 4", FormatShape(shape)));
}

// All but nearest neighbour give f32.
template <ResizeMode kMode>
absl::Status Resize(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const auto size, KnownList(ctx, 1, "size"));
  GraphBuilder& b = ctx.builder();
  TW_RETURN_IF_ERROR(CheckImages(b.shape(x)));
  if (size.size() != 2 || size[0] < 1 || size[1] < 1) {
    return InvalidInput("the size is not two positive numbers");
  }
  if (kMode != ResizeMode::kNearest) x = b.Convert(x, DType::kF32);
  return ctx.Result(ResizeDims(b, x, kSpace, size, kMode));
}

// dy is taken back by the transposed weights, whose numbers differ from those
// of a resize in the other direction and whose work does not.
absl::Status TakeBack(OpContext& ctx, const std::vector<int64_t>& size, ResizeMode mode) {
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(dy);
  TW_RETURN_IF_ERROR(CheckImages(from));
  if (size.size() != 2 || size[0] < 1 || size[1] < 1) {
    return InvalidInput("the size is not two positive numbers");
  }
  const int64_t rows = from.size(1), columns = from.size(2);
  if (mode == ResizeMode::kNearest && rows % size[0] == 0 && columns % size[1] == 0) {
    const OpId blocks = b.Reshape(dy, {from.dims[0],
                                       {size[0], false},
                                       {rows / size[0], false},
                                       {size[1], false},
                                       {columns / size[1], false},
                                       from.dims[3]});
    ctx.Set(0, b.Reduce(Reducer::kSum, blocks, {2, 4}));
  } else {
    ctx.Set(0, ResizeDims(b, dy, kSpace, size, ResizeMode::kLinear));
  }
  return absl::OkStatus();
}

absl::Status NearestGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto size, KnownList(ctx, 1, "size"));
  return TakeBack(ctx, size, ResizeMode::kNearest);
}

// Operand 1 is the image that was resized.
absl::Status LinearGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape image, TensorShapeOf(ctx, 1));
  TW_RETURN_IF_ERROR(CheckImages(image));
  TW_RETURN_IF_ERROR(TakeBack(ctx, {image.size(1), image.size(2)}, ResizeMode::kLinear));
  return ctx.Result(ctx.builder().Convert(ctx.results()[0].op, image.dtype));
}

constexpr OpEntry kResizeOps[] = {
    {"ResizeArea", Resize<ResizeMode::kLinear>},
    {"ResizeBicubic", Resize<ResizeMode::kCubic>},
    {"ResizeBicubicGrad", LinearGrad},
    {"ResizeBilinear", Resize<ResizeMode::kLinear>},
    {"ResizeBilinearGrad", LinearGrad},
    {"ResizeNearestNeighbor", Resize<ResizeMode::kNearest>},
    {"ResizeNearestNeighborGrad", NearestGrad},
    {"ScaleAndTranslate", Resize<ResizeMode::kLinear>},
    {"ScaleAndTranslateGrad", LinearGrad},
};

}  // namespace

std::span<const OpEntry> ResizeOps() { return kResizeOps; }

}  // namespace tilewise::tf
