// Slices, stacks and tiles; blocks as reshape, transpose, reshape.

#include "library/rearrange.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "library/broadcast.h"

namespace tilewise {
namespace {

Dim DimAt(const GraphBuilder& builder, OpId x, int64_t dim) { return builder.shape(x).dims[dim]; }

bool KeepsWhole(int64_t start, int64_t limit, int64_t stride) {
  constexpr int64_t kFar = int64_t{1} << 30;
  if (stride == 1) return start == 0 && limit >= kFar;
  return stride == -1 && start <= -1 && limit < -kFar;
}

// Row index minus column index is at least (lower: at most) k.
OpId DiagonalCompare(GraphBuilder& builder, std::vector<Dim> dims, Comparison comparison,
                     int64_t k) {
  const Shape shape(DType::kS32, std::move(dims));
  const OpId row = builder.Iota(shape, 0);
  const OpId column = builder.Iota(shape, 1);
  return builder.Compare(comparison, column,
                         WithScalar(builder, OpKind::kAdd, row, static_cast<double>(k)));
}

// [n, h, w, c] or [n, c, h, w], or a failure.
bool IsImage(GraphBuilder& builder, OpId x, int64_t block) {
  if (!builder.ok()) return false;
  const Shape& shape = builder.shape(x);
  bool good = shape.rank() == 4 && block >= 1 && block <= 32768 && !shape.dims[1].per_batch &&
              !shape.dims[2].per_batch && !shape.dims[3].per_batch;
  constexpr int64_t kLargest = int64_t{1} << 31;
  good = good && std::all_of(shape.dims.begin(), shape.dims.end(),
                             [](const Dim& dim) { return dim.factor <= kLargest; });
  if (!good) {
    builder.Fail(
        fmt::format("found {} and block {}, expected images of rank 4", FormatShape(shape), block));
  }
  return good;
}

}  // namespace

DimRange ResolveRange(int64_t size, int64_t start, int64_t limit, int64_t stride) {
  const int64_t lowest = stride > 0 ? 0 : -1;
  const int64_t highest = stride > 0 ? size : size - 1;
  const auto clamped = [&](int64_t place) {
    if (place < 0) place = std::max(place, -size - 1) + size;
    return std::clamp(place, lowest, std::max(lowest, highest));
  };
  const int64_t from = clamped(start);
  const int64_t to = clamped(limit);
  const int64_t way = stride > 0 ? to - from : from - to;
  if (way <= 0) return {from, stride, 0};
  // Strides beyond the size reach one index only.
  const int64_t step =
      std::min(stride > 0 ? stride : -std::max(stride, -size), std::max<int64_t>(size, 1));
  return {from, stride > 0 ? step : -step, (way - 1) / step + 1};
}

OpId SliceRanges(GraphBuilder& builder, OpId x, std::span<const SliceRange> ranges) {
  const Shape shape = builder.shape(x);
  std::vector<int64_t> starts(shape.dims.size(), 0), strides(shape.dims.size(), 1);
  std::vector<int64_t> limits(shape.dims.size(), kWholeDim), backwards;
  bool cuts = false;
  for (const SliceRange& given : ranges) {
    const int64_t dim = DimOf(builder, given.dim, shape.rank());
    if (!builder.ok()) return kNoOp;
    const Dim whole = shape.dims[dim];
    if (given.stride == 0) builder.Fail("found stride 0, expected another");
    if (whole.per_batch && !KeepsWhole(given.start, given.limit, given.stride)) {
      builder.Fail(fmt::format("found slice [{}:{}:{}] of the batch dim, expected it kept whole",
                               given.start, given.limit, given.stride));
    }
    if (!builder.ok()) return kNoOp;
    if (given.stride < 0) backwards.push_back(dim);
    if (whole.per_batch) continue;
    const DimRange range = ResolveRange(whole.factor, given.start, given.limit, given.stride);
    if (range.count == 0) {
      builder.Fail(fmt::format("slice [{}:{}:{}] of size {} leaves nothing", given.start,
                               given.limit, given.stride, whole.factor));
      return kNoOp;
    }
    if (range.count == whole.factor) continue;
    // A negative stride reaches the same indices from the other end.
    const int64_t last = range.start + (range.count - 1) * range.stride;
    cuts = true;
    starts[dim] = std::min(range.start, last);
    limits[dim] = std::max(range.start, last) + 1;
    strides[dim] = std::abs(range.stride);
  }
  if (cuts) x = builder.Slice(x, std::move(starts), std::move(limits), std::move(strides));
  return backwards.empty() ? x : builder.Reverse(x, std::move(backwards));
}

OpId StridedSlice(GraphBuilder& builder, OpId x, int64_t dim, int64_t start, int64_t limit,
                  int64_t stride) {
  const SliceRange range = {dim, start, limit, stride};
  return SliceRanges(builder, x, {&range, 1});
}

std::vector<OpId> SplitAlong(GraphBuilder& builder, OpId x, int64_t dim,
                             std::span<const int64_t> sizes) {
  std::vector<OpId> parts;
  dim = DimOf(builder, dim, builder.shape(x).rank());
  if (!builder.ok()) return parts;
  const Dim whole = DimAt(builder, x, dim);
  int64_t begin = 0;
  for (const int64_t size : sizes) {
    if (size < 0 || size > whole.factor - begin) {
      builder.Fail(fmt::format("found parts that do not fit size {}", whole.factor));
      return {};
    }
    const bool all = begin == 0 && size == whole.factor;
    parts.push_back(all || size == 0 ? (all ? x : kNoOp)
                                     : builder.SliceDim(x, dim, begin, begin + size));
    begin += size;
  }
  return parts;
}

OpId SwapDims(GraphBuilder& builder, OpId x, int64_t one, int64_t other) {
  const int64_t rank = builder.shape(x).rank();
  one = DimOf(builder, one, rank);
  other = DimOf(builder, other, rank);
  if (!builder.ok() || one == other) return x;
  std::vector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[one], order[other]);
  return builder.Transpose(x, std::move(order));
}

OpId Stack(GraphBuilder& builder, std::span<const OpId> xs, int64_t axis) {
  std::vector<OpId> rows;
  rows.reserve(xs.size());
  for (const OpId x : xs) rows.push_back(Unsqueezed(builder, x, {axis}));
  if (!builder.ok() || rows.empty()) return kNoOp;
  if (rows.size() == 1) return rows[0];
  return builder.Concatenate(rows, DimOf(builder, axis, builder.shape(rows[0]).rank()));
}

OpId Tile(GraphBuilder& builder, OpId x, std::span<const int64_t> repeats) {
  const Shape shape = builder.shape(x);
  if (repeats.size() != shape.dims.size()) {
    builder.Fail(fmt::format("found {} repeats of {}", repeats.size(), FormatShape(shape)));
    return kNoOp;
  }
  std::vector<Dim> spread;
  std::vector<int64_t> mapping;
  std::vector<Dim> joined;
  bool repeated = false;
  for (size_t i = 0; i < repeats.size(); ++i) {
    if (repeats[i] < 1 || repeats[i] > (int64_t{1} << 40)) {
      builder.Fail(fmt::format("found {} repeats, expected 1 or more", repeats[i]));
      return kNoOp;
    }
    if (repeats[i] > 1) {
      repeated = true;
      spread.push_back({repeats[i], false});
    }
    mapping.push_back(static_cast<int64_t>(spread.size()));
    spread.push_back(shape.dims[i]);
    Dim whole = shape.dims[i];
    if (whole.factor > (int64_t{1} << 62) / repeats[i]) {
      builder.Fail("found more elements than fit");
      return kNoOp;
    }
    whole.factor *= repeats[i];
    joined.push_back(whole);
  }
  if (!repeated) return x;
  return builder.Reshape(builder.Broadcast(x, std::move(spread), std::move(mapping)),
                         std::move(joined));
}

OpId DepthToSpace(GraphBuilder& builder, OpId x, int64_t block, bool channels_first,
                  BlockOrder order) {
  if (!IsImage(builder, x, block)) return kNoOp;
  const std::vector<Dim> d = builder.shape(x).dims;
  const Dim b = {block, false};
  const Dim h = d[channels_first ? 2 : 1];
  const Dim w = d[channels_first ? 3 : 2];
  const Dim c = {d[channels_first ? 1 : 3].factor / (block * block), false};
  const Dim big_h = {h.factor * block, false};
  const Dim big_w = {w.factor * block, false};
  const bool block_first = order == BlockOrder::kBlockFirst;
  if (channels_first) {
    x = block_first ? builder.Reshape(x, {d[0], b, b, c, h, w})
                    : builder.Reshape(x, {d[0], c, b, b, h, w});
    x = builder.Transpose(x, block_first ? std::vector<int64_t>{0, 3, 4, 1, 5, 2}
                                         : std::vector<int64_t>{0, 1, 4, 2, 5, 3});
    return builder.Reshape(x, {d[0], c, big_h, big_w});
  }
  x = block_first ? builder.Reshape(x, {d[0], h, w, b, b, c})
                  : builder.Reshape(x, {d[0], h, w, c, b, b});
  x = builder.Transpose(x, block_first ? std::vector<int64_t>{0, 1, 3, 2, 4, 5}
                                       : std::vector<int64_t>{0, 1, 4, 2, 5, 3});
  return builder.Reshape(x, {d[0], big_h, big_w, c});
}

OpId SpaceToDepth(GraphBuilder& builder, OpId x, int64_t block, bool channels_first) {
  if (!IsImage(builder, x, block)) return kNoOp;
  const std::vector<Dim> d = builder.shape(x).dims;
  const Dim b = {block, false};
  const Dim h = {d[channels_first ? 2 : 1].factor / block, false};
  const Dim w = {d[channels_first ? 3 : 2].factor / block, false};
  const Dim c = d[channels_first ? 1 : 3];
  const Dim deep = {c.factor * block * block, false};
  if (channels_first) {
    x = builder.Reshape(x, {d[0], c, h, b, w, b});
    x = builder.Transpose(x, {0, 3, 5, 1, 2, 4});
    return builder.Reshape(x, {d[0], deep, h, w});
  }
  x = builder.Reshape(x, {d[0], h, b, w, b, c});
  x = builder.Transpose(x, {0, 1, 3, 2, 4, 5});
  return builder.Reshape(x, {d[0], h, w, deep});
}

OpId Triangle(GraphBuilder& builder, OpId x, bool lower, int64_t k) {
  const Shape shape = builder.shape(x);
  if (shape.rank() < 2) {
    builder.Fail(fmt::format("found {}, expected a matrix", FormatShape(shape)));
    return kNoOp;
  }
  const OpId kept = DiagonalCompare(builder, {shape.dims.end() - 2, shape.dims.end()},
                                    lower ? Comparison::kLe : Comparison::kGe, k);
  const OpId zero = FilledLike(builder, x, 0);
  return builder.Select(builder.BroadcastTo(kept, shape.dims), x, zero);
}

OpId Eye(GraphBuilder& builder, int64_t rows, int64_t columns, int64_t k, DType dtype) {
  const OpId on = DiagonalCompare(builder, {{rows, false}, {columns, false}}, Comparison::kEq, k);
  return builder.Convert(on, dtype);
}

}  // namespace tilewise
