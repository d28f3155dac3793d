// Ops on images and boxes.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/window_attributes.h"
#include "library/box_crops.h"
#include "library/box_selection.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/reductions.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

// Boxes [n, 4] with scores [n] of which XLA knows how to choose `most`.
bool AreBoxes(const Shape& boxes, const Shape& scores) {
  return scores.rank() == 1 && boxes.rank() == 2 && boxes.is_static() &&
         boxes.dims[0] == scores.dims[0] && boxes.size(1) == 4 && IsFloat(boxes.dtype) &&
         boxes.dtype == scores.dtype;
}

// The first of `x` [1, found], filled up to `most`.
OpId FilledUp(GraphBuilder& b, OpId x, int64_t most) {
  const int64_t found = b.shape(x).size(1);
  x = b.Reshape(x, {{found, false}});
  return found == most ? x : b.Pad(x, 0, {0}, {most - found}, {0});
}

// How many iterations the choice takes is data.
absl::Status SelectFrom(OpContext& ctx, OpId boxes, OpId scores, int64_t most) {
  GraphBuilder& b = ctx.builder();
  const int64_t count = b.shape(scores).size(0);
  const SelectedBoxes made = SelectBoxes(b, Unsqueezed(b, boxes, {0}), Unsqueezed(b, scores, {0}),
                                         std::min(most, count), ctx.loop(), ctx.NewLoop());
  if (!b.ok()) return absl::OkStatus();
  const OpId valid = b.Reshape(made.valid, {});
  ctx.Set(0, FilledUp(b, made.indices, most));
  if (ctx.op() == "NonMaxSuppressionV4") ctx.Set(1, valid);
  if (ctx.op() == "NonMaxSuppressionV5") {
    ctx.Set(1, FilledUp(b, made.scores, most));
    ctx.Set(2, valid);
  }
  ctx.Note("RD002", fmt::format("boxes are chosen in as many iterations as it "
                                "takes to find {}: all {} boxes are gone "
                                "through",
                                most, count));
  return absl::OkStatus();
}

// The result has the largest number of boxes asked for.
absl::Status NonMaxSuppression(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(int64_t most, KnownSingle(ctx, 2, "max_output_size"));
  if (most < 1) {
    ctx.Note("RD003", "no box is asked for: 1 is taken");
    most = 1;
  }
  TW_ASSIGN_OR_RETURN(const Shape boxes, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const Shape scores, TensorShapeOf(ctx, 1));
  if (AreBoxes(boxes, scores)) {
    TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
    TW_ASSIGN_OR_RETURN(const OpId y, Tensor(ctx, 1));
    return SelectFrom(ctx, x, y, most);
  }
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, Shape::Of(DType::kS32, {most})));
  if (ctx.op() == "NonMaxSuppressionV4") {
    return OpaqueResult(ctx, 1, Shape(DType::kS32, {}));
  }
  if (ctx.op() == "NonMaxSuppressionV5") {
    TW_RETURN_IF_ERROR(OpaqueResult(ctx, 1, Shape::Of(DType::kF32, {most})));
    return OpaqueResult(ctx, 2, Shape(DType::kS32, {}));
  }
  return absl::OkStatus();
}

absl::Status OpaqueDetections(OpContext& ctx, Dim batch, int64_t most) {
  const Dim count = {most, false};
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, {DType::kF32, {batch, count, {4, false}}}));
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 1, {DType::kF32, {batch, count}}));
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 2, {DType::kF32, {batch, count}}));
  return OpaqueResult(ctx, 3, {DType::kS32, {batch}});
}

// Boxes [n, boxes, 1 or classes, 4], scores [n, boxes, classes], most of a
// class, most of all: each class by itself, then the best of all of them.
absl::Status CombinedNonMaxSuppression(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape boxes, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const Shape scores, TensorShapeOf(ctx, 1));
  TW_ASSIGN_OR_RETURN(const int64_t of_class, KnownSingle(ctx, 2, "max_output_size_per_class"));
  TW_ASSIGN_OR_RETURN(int64_t most, KnownSingle(ctx, 3, "max_total_size"));
  if (boxes.rank() < 1 || most < 1) return InvalidInput("found no boxes");
  const bool fits = boxes.rank() == 4 && scores.rank() == 3 && of_class >= 1 &&
                    boxes.dims[0] == scores.dims[0] && boxes.dims[1] == scores.dims[1] &&
                    !scores.dims[1].per_batch && !scores.dims[2].per_batch &&
                    (boxes.dims[2] == scores.dims[2] || boxes.dims[2] == Dim{1, false}) &&
                    boxes.dims[3] == Dim{4, false};
  if (!fits) return OpaqueDetections(ctx, boxes.dims[0], most);
  TW_ASSIGN_OR_RETURN(const OpId of_boxes, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId of_scores, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const Dim n = scores.dims[0], count = scores.dims[1];
  const Dim classes = scores.dims[2], four = {4, false};
  if (ctx.Bool("pad_per_class", false)) {
    most = std::min(most, of_class * classes.factor);
  }
  const int64_t kept = std::min(of_class, count.factor);
  const int64_t found = std::min(most, kept * classes.factor);
  const Dim sets = {n.factor * classes.factor, n.per_batch};
  OpId each = b.Transpose(of_boxes, {0, 2, 1, 3});
  if (boxes.dims[2] != classes) {
    each = b.BroadcastTo(each, {n, classes, count, four});
  }
  each = b.Reshape(each, {sets, count, four});
  const SelectedBoxes chosen =
      SelectBoxes(b, each, b.Reshape(b.Transpose(of_scores, {0, 2, 1}), {sets, count}), kept,
                  ctx.loop(), ctx.NewLoop());
  const Dim all = {kept * classes.factor, false};
  const OpId corners = b.Reshape(TakeAlong(b, each, chosen.indices, 1, 1), {n, all, four});
  const OpId best = b.Reshape(chosen.scores, {n, all});
  const OpId values = b.TopK(best, found, 0), places = b.TopK(best, found, 1);
  const OpId kinds =
      b.Convert(b.Binary(OpKind::kDivide, places, FilledLike(b, places, static_cast<double>(kept))),
                DType::kF32);
  const OpId valid = b.Reduce(Reducer::kSum, b.Reshape(chosen.valid, {n, classes}), {1});
  if (!b.ok()) return absl::OkStatus();
  const auto filled = [&](OpId x) {
    std::vector<int64_t> none(b.shape(x).dims.size(), 0), high = none;
    high[1] = most - found;
    return found == most ? x : b.Pad(x, 0, none, std::move(high), none);
  };
  ctx.Set(0, filled(TakeAlong(b, corners, places, 1, 1)));
  ctx.Set(1, filled(values));
  ctx.Set(2, filled(kinds));
  ctx.Set(3, valid);
  return absl::OkStatus();
}

// Images, boxes in parts of the image, image of each box, size.
absl::Status CropAndResize(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape images, TensorShapeOf(ctx, 0));
  TW_ASSIGN_OR_RETURN(const Shape boxes, TensorShapeOf(ctx, 1));
  TW_ASSIGN_OR_RETURN(const auto size, KnownList(ctx, 3, "crop_size"));
  if (images.rank() != 4 || boxes.rank() != 2 || size.size() != 2) {
    return InvalidInput("found no images, boxes and size");
  }
  if (images.dims[1].per_batch || images.dims[2].per_batch) {
    return InvalidInput("an image as large as the batch");
  }
  const OpId x = ctx.Input(0), of_boxes = ctx.Input(1), image_of = ctx.Input(2);
  if (!ctx.ok()) return ctx.builder().TakeStatus();
  BoxCrops crops;
  crops.rows = size[0];
  crops.columns = size[1];
  crops.scale_y = static_cast<double>(images.dims[1].factor - 1);
  crops.scale_x = static_cast<double>(images.dims[2].factor - 1);
  if (ctx.Text("method", "bilinear") == "nearest") {
    crops.mode = ResizeMode::kNearest;
  }
  const OpId real = ctx.builder().Convert(x, DType::kF32);
  return ctx.Result(CropBoxes(ctx.builder(), real, of_boxes, image_of, crops));
}

// Images, transforms, size.
absl::Status ProjectiveTransform(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(Shape images, TensorShapeOf(ctx, 0));
  if (images.rank() != 4) return InvalidInput("found no images");
  if (const auto size = ctx.KnownInts(2); size && size->size() == 2) {
    images.dims[1] = {(*size)[0], false};
    images.dims[2] = {(*size)[1], false};
  }
  return OpaqueResult(ctx, 0, images);
}

// 1 where output feature o of a group takes position o of the window.
OpId PatchKernel(GraphBuilder& b, DType dtype, int64_t rows, int64_t columns, int64_t depth) {
  const Shape shape = Shape::Of(DType::kS32, {rows, columns, 1, depth * rows * columns});
  const Term place =
      Term(b, b.Iota(shape, 0)) * static_cast<double>(columns) + Term(b, b.Iota(shape, 1));
  const Term out(b, b.Iota(shape, 3));
  const Term wanted =
      Binary(OpKind::kRemainder, out, out.Like(static_cast<double>(rows * columns)));
  return b.Convert(Compared(Comparison::kEq, place, wanted).id, dtype);
}

// Windows of the image in the features: a convolution of each feature with one
// kernel for each position, as XLA does it.
absl::Status ExtractImagePatches(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  if (from.rank() != 4 || from.dims[3].per_batch || !IsFloat(from.dtype)) {
    return InvalidInput(fmt::format("found {}, expected images", FormatShape(from)));
  }
  TW_ASSIGN_OR_RETURN(const auto sizes, SpatialNumbers(ctx.Ints("ksizes"), 4, false));
  TW_ASSIGN_OR_RETURN(const auto strides, SpatialNumbers(ctx.Ints("strides"), 4, false));
  TW_ASSIGN_OR_RETURN(const auto rates, SpatialNumbers(ctx.Ints("rates"), 4, false));
  TW_ASSIGN_OR_RETURN(const Windows windows, MakeWindows(ctx, from, sizes, strides, rates));
  const int64_t depth = from.size(3);
  if (sizes[0] > 4096 || sizes[1] > 4096 || depth > (int64_t{1} << 32)) {
    return InvalidInput("found patches larger than any image");
  }
  const int64_t places = sizes[0] * sizes[1];
  const OpId kernel = PatchKernel(b, from.dtype, sizes[0], sizes[1], depth);
  const OpId y = b.Convolution(x, kernel, windows.dims, depth, false);
  const Shape to = b.shape(y);
  std::vector<Dim> split = to.dims;
  split.pop_back();
  split.push_back({depth, false});
  split.push_back({places, false});
  const OpId by_place = b.Transpose(b.Reshape(y, split), {0, 1, 2, 4, 3});
  return ctx.Result(b.Reshape(by_place, to.dims));
}

// (x - mean of the image) factor + mean.
absl::Status AdjustContrast(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId factor, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const int64_t rank = b.shape(op).rank();
  if (rank < 3) return InvalidInput("found no images");
  const Term x(b, op);
  const Term mean(b, ReduceOf(b, Reduction::kMean, op, {rank - 3, rank - 2}, true));
  return ctx.Result(((x - mean) * Term(b, factor) + mean).id);
}

constexpr OpEntry kImageOps[] = {
    {"AdjustContrastv2", AdjustContrast},
    {"CombinedNonMaxSuppression", CombinedNonMaxSuppression},
    {"CropAndResize", CropAndResize},
    {"ExtractImagePatches", ExtractImagePatches},
    {"ImageProjectiveTransformV2", ProjectiveTransform},
    {"ImageProjectiveTransformV3", ProjectiveTransform},
    {"NonMaxSuppression", NonMaxSuppression},
    {"NonMaxSuppressionV2", NonMaxSuppression},
    {"NonMaxSuppressionV3", NonMaxSuppression},
    {"NonMaxSuppressionV4", NonMaxSuppression},
    {"NonMaxSuppressionV5", NonMaxSuppression},
    {"NonMaxSuppressionWithOverlaps", NonMaxSuppression},
};

}  // namespace

std::span<const OpEntry> ImageOps() { return kImageOps; }

}  // namespace tilewise::tf
