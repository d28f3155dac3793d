// One dim at a time, the ones that shrink first.

#include "library/resize.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "library/broadcast.h"
#include "library/gather.h"

namespace tilewise {
namespace {

OpId RepeatEach(GraphBuilder& builder, OpId x, int64_t dim, int64_t times) {
  std::vector<Dim> dims = builder.shape(x).dims;
  std::vector<Dim> spread = dims;
  spread.insert(spread.begin() + dim + 1, Dim{times, false});
  std::vector<int64_t> mapping;
  mapping.reserve(dims.size());
  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i) {
    mapping.push_back(i <= dim ? i : i + 1);
  }
  dims[dim].factor *= times;
  return builder.Reshape(builder.Broadcast(x, spread, mapping), dims);
}

OpId Nearest(GraphBuilder& builder, OpId x, int64_t dim, int64_t from, int64_t to) {
  if (to % from == 0) return RepeatEach(builder, x, dim, to / from);
  if (from % to == 0) {
    const int64_t stride = from / to;
    return builder.SliceDim(x, dim, 0, (to - 1) * stride + 1, stride);
  }
  const OpId places = builder.Variable(Shape::Of(DType::kS32, {to}), "places",
                                       /*trainable=*/false);
  return TakeAlong(builder, x, places, dim);
}

// Matmul with weights [from, to], put back in place of `dim`.
OpId Weighted(GraphBuilder& builder, OpId x, int64_t dim, int64_t from, int64_t to) {
  const Shape shape = builder.shape(x);
  const OpId weights =
      builder.Variable(Shape::Of(shape.dtype, {from, to}), "weights", /*trainable=*/false);
  DotDims dims;
  dims.lhs_contract = {dim};
  dims.rhs_contract = {0};
  const OpId product = builder.Dot(x, weights, std::move(dims));
  if (dim == shape.rank() - 1) return product;
  std::vector<int64_t> order;
  for (int64_t i = 0; i < shape.rank() - 1; ++i) {
    if (i == dim) order.push_back(shape.rank() - 1);
    order.push_back(i);
  }
  return builder.Transpose(product, std::move(order));
}

// Rows of the flattened image at `y`, `x` (s32, [n, rows, columns]).
OpId PixelsAt(GraphBuilder& builder, OpId flat, OpId y, OpId x, int64_t width) {
  const OpId place = builder.Binary(
      OpKind::kAdd, WithScalar(builder, OpKind::kMultiply, y, static_cast<double>(width)), x);
  return TakeAlong(builder, flat, place, 1, 1);
}

// Coordinate `which` of places, in pixels of `size`.
OpId Coordinate(GraphBuilder& builder, OpId places, int64_t which, int64_t size) {
  OpId at = ElementAlong(builder, places, which, -1);
  at = WithScalar(builder, OpKind::kAdd, at, 1);
  return WithScalar(builder, OpKind::kMultiply, at, static_cast<double>(size) / 2);
}

OpId Index(GraphBuilder& builder, OpId at, int64_t size) {
  const OpId whole = builder.Convert(at, DType::kS32);
  return Clamp(builder, whole, 0, static_cast<double>(size - 1));
}

using Changes = std::vector<std::pair<int64_t, int64_t>>;  // dim, size

// Returns the dims that change, then those that stay, where the last dim
// changes: those that stay are better off in the lanes. Otherwise it returns
// all in their order.
std::vector<int64_t> StayingLast(int64_t rank, const Changes& changes) {
  const auto changes_size = [&](int64_t dim) {
    return std::ranges::any_of(changes, [&](const auto& change) { return change.first == dim; });
  };
  std::vector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (rank < 2 || !changes_size(rank - 1)) return order;
  std::stable_partition(order.begin() + 1, order.end(), changes_size);
  return order;
}

OpId AllResized(GraphBuilder& builder, OpId x, const Changes& changes, ResizeMode mode) {
  for (const auto& [dim, size] : changes) {
    if (!builder.ok()) return kNoOp;
    const int64_t from = builder.shape(x).size(dim);
    x = mode == ResizeMode::kNearest ? Nearest(builder, x, dim, from, size)
                                     : Weighted(builder, x, dim, from, size);
  }
  return x;
}

}  // namespace

OpId ResizeDims(GraphBuilder& builder, OpId x, std::span<const int64_t> dims,
                std::span<const int64_t> sizes, ResizeMode mode) {
  Changes changes;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t dim = DimOf(builder, dims[i], builder.shape(x).rank());
    if (!builder.ok()) return kNoOp;
    const Dim from = builder.shape(x).dims[dim];
    if (!from.per_batch && from.factor == sizes[i]) continue;
    if (from.per_batch || sizes[i] < 1 || sizes[i] > (int64_t{1} << 31)) {
      builder.Fail(fmt::format("found size {} for dim {} of {}", sizes[i], dim,
                               FormatShape(builder.shape(x))));
    }
    changes.emplace_back(dim, sizes[i]);
  }
  if (!builder.ok()) return kNoOp;
  const auto grows = [&](const std::pair<int64_t, int64_t>& change) {
    return change.second > builder.shape(x).size(change.first);
  };
  std::stable_partition(changes.begin(), changes.end(),
                        [&](const auto& change) { return !grows(change); });
  const std::vector<int64_t> order = StayingLast(builder.shape(x).rank(), changes);
  if (std::ranges::is_sorted(order)) return AllResized(builder, x, changes, mode);
  std::vector<int64_t> back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    back[order[i]] = static_cast<int64_t>(i);
  }
  for (auto& change : changes) change.first = back[change.first];
  return builder.Transpose(AllResized(builder, builder.Transpose(x, order), changes, mode), back);
}

OpId SampleAt(GraphBuilder& builder, OpId x, OpId places, ResizeMode mode) {
  const Shape shape = builder.shape(x);
  const Shape grid = builder.shape(places);
  if (shape.rank() != 4 || grid.rank() != 4 || shape.dims[2].per_batch || shape.dims[3].per_batch ||
      !builder.ok()) {
    builder.Fail(fmt::format("found {} sampled at {}, expected rank 4", FormatShape(shape),
                             FormatShape(grid)));
    return kNoOp;
  }
  const int64_t height = shape.dims[2].factor;
  const int64_t width = shape.dims[3].factor;
  const OpId last = builder.Transpose(x, {0, 2, 3, 1});
  const OpId flat = builder.Reshape(last, {shape.dims[0], {height * width, false}, shape.dims[1]});
  const OpId column = Coordinate(builder, places, 0, width);
  const OpId row = Coordinate(builder, places, 1, height);
  const OpId left = Index(builder, column, width);
  const OpId top = Index(builder, row, height);
  OpId sum = PixelsAt(builder, flat, top, left, width);
  if (mode != ResizeMode::kNearest) {
    const OpId right = WithScalar(builder, OpKind::kAdd, left, 1);
    const OpId bottom = WithScalar(builder, OpKind::kAdd, top, 1);
    const auto mixed = [&](OpId a, OpId b, OpId at) {
      const OpId part = builder.Binary(OpKind::kSubtract, at, builder.Unary(OpKind::kFloor, at));
      const OpId weight = builder.BroadcastTo(
          Unsqueezed(builder, builder.Convert(part, shape.dtype), {-1}), builder.shape(a).dims);
      const OpId step = builder.Binary(OpKind::kSubtract, b, a);
      return builder.Binary(OpKind::kAdd, a, builder.Binary(OpKind::kMultiply, weight, step));
    };
    const OpId upper = mixed(sum, PixelsAt(builder, flat, top, right, width), column);
    const OpId lower = mixed(PixelsAt(builder, flat, bottom, left, width),
                             PixelsAt(builder, flat, bottom, right, width), column);
    sum = mixed(upper, lower, row);
  }
  return builder.Transpose(sum, {0, 3, 1, 2});
}

}  // namespace tilewise
