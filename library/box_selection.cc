// Source: NonMaxSuppressionOp of
// tensorflow/compiler/tf2xla/kernels/image_ops.cc.

#include "library/box_selection.h"

#include <array>
#include <limits>

#include <fmt/format.h>

#include "library/broadcast.h"
#include "library/trip_count.h"

namespace tilewise {
namespace {

constexpr double kThreshold = 0.5;  // of overlaps; what it is costs nothing

class Selection {
 public:
  Selection(GraphBuilder& builder, OpId boxes, OpId scores)
      : b_(builder), boxes_(boxes), scores_(scores) {}

  SelectedBoxes Select(int64_t count, EnclosingLoop outer, int32_t loop) {
    if (!Fits(count)) return {};
    const OpId minus = b_.Unary(OpKind::kNegate, scores_);
    const OpId numbers = b_.Iota(b_.shape(scores_).WithType(DType::kS32), 1);
    const OpId order = b_.Sort({minus, numbers}, 1, false, 1);
    const OpId sorted = b_.Unary(OpKind::kNegate, b_.Sort({minus, numbers}, 1, false, 0));
    const OpId kept = Kept(Overlaps(minus), outer, loop);
    const OpId left =
        b_.Select(kept, sorted, FilledLike(b_, sorted, -std::numeric_limits<float>::max()));
    SelectedBoxes result;
    result.scores = b_.TopK(left, count, 0);
    result.indices = Originals(order, b_.TopK(left, count, 1));
    result.valid = b_.Reduce(Reducer::kSum, b_.Convert(kept, DType::kS32), {1});
    return result;
  }

 private:
  bool Fits(int64_t count) {
    const Shape boxes = b_.shape(boxes_), scores = b_.shape(scores_);
    if (!b_.ok()) return false;
    const bool fits = boxes.rank() == 3 && scores.rank() == 2 && boxes.dims[0] == scores.dims[0] &&
                      boxes.dims[1] == scores.dims[1] && boxes.dims[2] == Dim{4, false} &&
                      !scores.dims[1].per_batch && count >= 1 && count <= scores.dims[1].factor;
    if (!fits) {
      b_.Fail(
          fmt::format("found boxes {} with scores {}, of which {} are to "
                      "be selected",
                      FormatShape(boxes), FormatShape(scores), count));
    }
    return fits;
  }

  // Returns which pairs overlap, in the order of the scores: [sets, boxes,
  // boxes].
  OpId Overlaps(OpId minus) {
    const OpId turned = b_.Transpose(boxes_, {0, 2, 1});
    const OpId keys = b_.Broadcast(minus, b_.shape(turned).dims, {0, 2});
    const OpId sorted = b_.Sort({keys, turned}, 2, false, 1);
    std::array<OpId, 4> corner = {};
    for (int64_t i = 0; i < 4; ++i) {
      corner[i] = b_.Reshape(b_.SliceDim(sorted, 1, i, i + 1), b_.shape(scores_).dims);
    }
    const OpId y1 = b_.Binary(OpKind::kMinimum, corner[0], corner[2]);
    const OpId y2 = b_.Binary(OpKind::kMaximum, corner[0], corner[2]);
    const OpId x1 = b_.Binary(OpKind::kMinimum, corner[1], corner[3]);
    const OpId x2 = b_.Binary(OpKind::kMaximum, corner[1], corner[3]);
    const OpId height = b_.Binary(OpKind::kSubtract, y2, y1);
    const OpId width = b_.Binary(OpKind::kSubtract, x2, x1);
    const OpId area = b_.Binary(OpKind::kMultiply, height, width);
    const OpId columns = Extent(x1, x2);
    const OpId rows = Extent(y1, y2);
    const OpId common = b_.Binary(OpKind::kMultiply, columns, rows);
    const OpId both = b_.Binary(OpKind::kSubtract, Paired(OpKind::kAdd, area), common);
    const OpId share = b_.Binary(OpKind::kDivide, common, both);
    return CompareScalar(b_, Comparison::kGt, share, kThreshold);
  }

  // v of the one box with v of the other.
  OpId Paired(OpKind kind, OpId v) {
    std::vector<Dim> dims = b_.shape(v).dims;
    if (!b_.ok()) return kNoOp;
    dims.push_back(dims.back());
    const OpId one = b_.Broadcast(v, dims, {0, 1});
    const OpId other = b_.Broadcast(v, dims, {0, 2});
    return b_.Binary(kind, one, other);
  }

  // Returns how much two boxes share along one side; 0 when it is nothing.
  OpId Extent(OpId low, OpId high) {
    const OpId end = Paired(OpKind::kMinimum, high);
    const OpId start = Paired(OpKind::kMaximum, low);
    const OpId extent = b_.Binary(OpKind::kSubtract, end, start);
    return b_.Binary(OpKind::kMaximum, extent, FilledLike(b_, extent, 0));
  }

  OpId Kept(OpId overlaps, EnclosingLoop outer, int32_t loop) {
    const Shape shape = b_.shape(scores_).WithType(DType::kPred);
    const OpId all = b_.Constant(1, shape);
    const OpId zero = b_.Scalar(0, DType::kS32);
    if (!b_.ok()) return kNoOp;
    b_.SetLoop(LoopWithin(outer, loop, shape.dims[1].factor));
    const OpId kept = b_.Barrier(all, {});
    const OpId number = b_.Barrier(zero, {});
    const OpId active = b_.DynamicSlice(kept, {number}, {1}, {1});
    const OpId row = b_.Reshape(b_.DynamicSlice(overlaps, {number}, {1}, {1}), shape.dims);
    const OpId without = b_.Binary(OpKind::kAnd, kept, b_.Unary(OpKind::kNot, row));
    const OpId next = b_.Select(b_.BroadcastTo(active, shape.dims), without, kept);
    b_.SetLoop(outer);
    return next;
  }

  // Indices in the order of scores as indices in the operand.
  OpId Originals(OpId order, OpId places) {
    const Shape shape = b_.shape(order);
    if (!b_.ok()) return kNoOp;
    const int64_t boxes = shape.dims[1].factor;
    const OpId first =
        WithScalar(b_, OpKind::kMultiply, b_.Iota(b_.shape(places).WithType(DType::kS32), 0),
                   static_cast<double>(boxes));
    const Dim all = {shape.dims[0].factor * boxes, shape.dims[0].per_batch};
    const OpId rows = b_.Reshape(order, {all});
    return b_.Gather(rows, b_.Binary(OpKind::kAdd, places, first));
  }

  GraphBuilder& b_;
  OpId boxes_;
  OpId scores_;
};

}  // namespace

SelectedBoxes SelectBoxes(GraphBuilder& builder, OpId boxes, OpId scores, int64_t count,
                          EnclosingLoop outer, int32_t loop) {
  return Selection(builder, boxes, scores).Select(count, outer, loop);
}

}  // namespace tilewise
