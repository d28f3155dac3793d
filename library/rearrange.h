// Elements in another order: slices with Python's rules, tiles, pads of all
// modes, blocks between space and depth.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

// Indices start, start + stride ... `count` of them; count may be 0.
struct DimRange {
  int64_t start = 0;
  int64_t stride = 1;
  int64_t count = 0;
};
// Python's x[start:limit:stride] of `size` elements; stride is not 0.
DimRange ResolveRange(int64_t size, int64_t start, int64_t limit, int64_t stride);

// x[start:limit:stride] along `dim`.
struct SliceRange {
  int64_t dim = 0;
  int64_t start = 0;
  int64_t limit = 0;
  int64_t stride = 1;
};
// Cuts all ranges, of different dims, in one slice. A per-batch dim must be
// kept whole (or reversed). Fails when nothing is left.
OpId SliceRanges(GraphBuilder& builder, OpId x, std::span<const SliceRange> ranges);
// One of them.
OpId StridedSlice(GraphBuilder& builder, OpId x, int64_t dim, int64_t start, int64_t limit,
                  int64_t stride);
// Parts of `sizes` along `dim`, which sum to it.
std::vector<OpId> SplitAlong(GraphBuilder& builder, OpId x, int64_t dim,
                             std::span<const int64_t> sizes);

// x with two dims in each other's place.
OpId SwapDims(GraphBuilder& builder, OpId x, int64_t one, int64_t other);

// A new dim `axis` of what is in `xs`.
OpId Stack(GraphBuilder& builder, std::span<const OpId> xs, int64_t axis);
// Each dim repeated as a whole; per-batch dims too.
OpId Tile(GraphBuilder& builder, OpId x, std::span<const int64_t> repeats);

enum class PadMode : uint8_t {
  kConstant,
  kReflect,    // without the edge: c b | a b c
  kSymmetric,  // with it: b a | a b c
  kEdge,
  kWrap,
};
// Negative amounts remove elements. One amount per dim.
OpId PadWith(GraphBuilder& builder, OpId x, PadMode mode, double value,
             const std::vector<int64_t>& low, const std::vector<int64_t>& high);

enum class BlockOrder : uint8_t {
  kBlockFirst,  // depth is [block, block, features]: ONNX DCR, TensorFlow
  kDepthFirst,  // depth is [features, block, block]: ONNX CRD, pixel shuffle
};
// Images of rank 4.
OpId DepthToSpace(GraphBuilder& builder, OpId x, int64_t block, bool channels_first,
                  BlockOrder order);
OpId SpaceToDepth(GraphBuilder& builder, OpId x, int64_t block, bool channels_first);

// Keeps what is on and below (lower) or above diagonal k of the last two dims;
// 0 elsewhere.
OpId Triangle(GraphBuilder& builder, OpId x, bool lower, int64_t k);
// 1 on diagonal k of [rows, columns].
OpId Eye(GraphBuilder& builder, int64_t rows, int64_t columns, int64_t k, DType dtype);

}  // namespace tilewise
