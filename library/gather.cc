// Everything but rows of dim 0 is a gather or scatter of slices in XLA's form.

#include "library/gather.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "library/broadcast.h"

namespace tilewise {
namespace {

std::vector<int64_t> Counting(int64_t from, int64_t to) {
  std::vector<int64_t> dims(std::max<int64_t>(to - from, 0));
  std::iota(dims.begin(), dims.end(), from);
  return dims;
}

// Returns the dims of an operand of `rank`: all but `axis`, paired with the
// same dims of indices.
GatherDims ElementDims(int64_t rank, int64_t axis) {
  GatherDims dims;
  dims.collapsed_dims = {axis};
  dims.start_dims = {axis};
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == axis) continue;
    dims.operand_batch.push_back(dim);
    dims.indices_batch.push_back(dim);
  }
  dims.slice_sizes.assign(rank, 1);
  dims.index_dim = rank;
  return dims;
}

// The front of x that has the dims of `like` but for `axis`.
OpId FrontLike(GraphBuilder& builder, OpId x, const Shape& like, int64_t axis) {
  for (int64_t dim = 0; dim < like.rank(); ++dim) {
    const Dim& want = like.dims[dim];
    const Dim& have = builder.shape(x).dims[dim];
    if (dim == axis || want == have || want.per_batch) continue;
    x = builder.SliceDim(x, dim, 0, want.factor);
    if (!builder.ok()) return kNoOp;
  }
  return x;
}

bool SameRank(GraphBuilder& builder, OpId x, OpId indices) {
  if (!builder.ok()) return false;
  if (builder.shape(x).rank() == builder.shape(indices).rank()) return true;
  builder.Fail(fmt::format("found indices {} into {}, expected the same rank",
                           FormatShape(builder.shape(indices)), FormatShape(builder.shape(x))));
  return false;
}

// Dims of GatherNd and ScatterNd: `depth` components per index.
GatherDims NdDims(const Shape& x, const Shape& indices, int64_t batch_dims, int64_t depth) {
  GatherDims dims;
  const int64_t places = indices.rank() - 1;
  dims.index_dim = places;
  dims.operand_batch = Counting(0, batch_dims);
  dims.indices_batch = dims.operand_batch;
  dims.start_dims = Counting(batch_dims, batch_dims + depth);
  dims.collapsed_dims = dims.start_dims;
  const int64_t kept = x.rank() - batch_dims - depth;
  dims.offset_dims = Counting(places, places + kept);
  dims.slice_sizes.assign(batch_dims + depth, 1);
  dims.slice_sizes.resize(x.rank(), kWholeDim);
  return dims;
}

// Components of the indices; 0 and a failure when they do not fit.
int64_t DepthOf(GraphBuilder& builder, OpId x, OpId indices, int64_t batch_dims) {
  const Shape& places = builder.shape(indices);
  const int64_t rank = builder.shape(x).rank();
  const bool fits = places.rank() > batch_dims && batch_dims >= 0 &&
                    !places.dims.back().per_batch && places.dims.back().factor <= rank - batch_dims;
  if (fits) return places.dims.back().factor;
  builder.Fail(fmt::format("found indices {} into {}, expected places in it", FormatShape(places),
                           FormatShape(builder.shape(x))));
  return 0;
}

// Whole dims of x but 1 along `axis` and the batch dims.
std::vector<int64_t> SlicesAlong(int64_t rank, int64_t axis, int64_t batch_dims) {
  std::vector<int64_t> sizes(rank, kWholeDim);
  sizes[axis] = 1;
  std::fill_n(sizes.begin(), static_cast<size_t>(batch_dims), 1);
  return sizes;
}

// Dims of a take whose index dims are all of indices.
GatherDims AlongDims(const Shape& x, const Shape& indices, int64_t axis, int64_t batch_dims) {
  GatherDims dims;
  const int64_t places = indices.rank() - batch_dims;
  dims.index_dim = indices.rank();
  dims.operand_batch = Counting(0, batch_dims);
  dims.indices_batch = dims.operand_batch;
  dims.start_dims = {axis};
  dims.collapsed_dims = {axis};
  dims.offset_dims = Counting(batch_dims, axis);
  for (int64_t dim = axis + 1; dim < x.rank(); ++dim) {
    dims.offset_dims.push_back(dim - 1 + places);
  }
  dims.slice_sizes = SlicesAlong(x.rank(), axis, batch_dims);
  return dims;
}

}  // namespace

OpId TakeAlong(GraphBuilder& builder, OpId x, OpId indices, int64_t axis, int64_t batch_dims) {
  axis = DimOf(builder, axis, builder.shape(x).rank());
  if (!builder.ok()) return kNoOp;
  if (axis == 0) return builder.Gather(x, indices);
  const Shape& places = builder.shape(indices);
  if (batch_dims < 0 || batch_dims > std::min(axis, places.rank())) {
    builder.Fail(fmt::format("found {} batch dims of axis {} and indices {}", batch_dims, axis,
                             FormatShape(places)));
    return kNoOp;
  }
  return builder.GatherSlices(x, indices, AlongDims(builder.shape(x), places, axis, batch_dims));
}

OpId ElementAlong(GraphBuilder& builder, OpId x, int64_t index, int64_t axis) {
  const Shape shape = builder.shape(x);
  axis = DimOf(builder, axis, shape.rank());
  if (!builder.ok()) return kNoOp;
  const Dim dim = shape.dims[axis];
  if (dim.per_batch) {
    return builder.Gather(x, builder.Scalar(static_cast<double>(index), DType::kS32));
  }
  if (index < 0) index += dim.factor;
  if (index < 0 || index >= dim.factor) {
    builder.Fail(fmt::format("found index {} into size {}", index, dim.factor));
    return kNoOp;
  }
  return Squeezed(builder, builder.SliceDim(x, axis, index, index + 1), {axis});
}

OpId TakeElements(GraphBuilder& builder, OpId x, OpId indices, int64_t axis) {
  if (!SameRank(builder, x, indices)) return kNoOp;
  axis = DimOf(builder, axis, builder.shape(x).rank());
  if (!builder.ok()) return kNoOp;
  x = FrontLike(builder, x, builder.shape(indices), axis);
  if (!builder.ok()) return kNoOp;
  return builder.GatherSlices(x, indices, ElementDims(builder.shape(x).rank(), axis));
}

OpId GatherNd(GraphBuilder& builder, OpId x, OpId indices, int64_t batch_dims) {
  const int64_t depth = DepthOf(builder, x, indices, batch_dims);
  if (!builder.ok()) return kNoOp;
  return builder.GatherSlices(x, indices,
                              NdDims(builder.shape(x), builder.shape(indices), batch_dims, depth));
}

OpId ScatterNd(GraphBuilder& builder, OpId x, OpId indices, OpId updates, const ScatterRule& rule,
               int64_t batch_dims) {
  const int64_t depth = DepthOf(builder, x, indices, batch_dims);
  if (!builder.ok()) return kNoOp;
  GatherDims dims = NdDims(builder.shape(x), builder.shape(indices), batch_dims, depth);
  dims.slice_sizes.clear();
  return builder.ScatterSlices(x, indices, updates, std::move(dims), rule.reducer, rule.assign);
}

OpId ScatterElements(GraphBuilder& builder, OpId x, OpId indices, OpId updates, int64_t axis,
                     const ScatterRule& rule) {
  if (!SameRank(builder, x, indices)) return kNoOp;
  axis = DimOf(builder, axis, builder.shape(x).rank());
  if (!builder.ok()) return kNoOp;
  const Shape whole = builder.shape(x);
  Shape front = builder.shape(indices);
  front.dims[axis] = whole.dims[axis];
  if (front.dims != whole.dims) {
    // Indices of a part only: full coordinates for each element.
    std::vector<OpId> components;
    const Shape places = builder.shape(indices);
    for (int64_t dim = 0; dim < places.rank(); ++dim) {
      const OpId along = dim == axis ? indices : builder.Iota(places, dim);
      components.push_back(Unsqueezed(builder, along, {-1}));
    }
    return ScatterNd(builder, x, builder.Concatenate(components, places.rank()), updates, rule);
  }
  GatherDims dims = ElementDims(whole.rank(), axis);
  dims.slice_sizes.clear();
  return builder.ScatterSlices(x, indices, updates, std::move(dims), rule.reducer, rule.assign);
}

OpId ScatterAlong(GraphBuilder& builder, OpId x, OpId indices, OpId updates, int64_t axis,
                  const ScatterRule& rule) {
  axis = DimOf(builder, axis, builder.shape(x).rank());
  if (!builder.ok()) return kNoOp;
  GatherDims dims = AlongDims(builder.shape(x), builder.shape(indices), axis, 0);
  dims.slice_sizes.clear();
  return builder.ScatterSlices(x, indices, updates, std::move(dims), rule.reducer, rule.assign);
}

OpId OneHot(GraphBuilder& builder, OpId indices, int64_t depth, int64_t axis, OpId on, OpId off) {
  const int64_t rank = builder.shape(indices).rank() + 1;
  axis = DimOf(builder, axis, rank);
  if (!builder.ok()) return kNoOp;
  if (!IsFloat(builder.shape(indices).dtype)) {
    indices = builder.Convert(indices, DType::kS32);
  }
  Shape shape = builder.shape(indices);
  std::vector<int64_t> mapping;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim != axis) mapping.push_back(dim);
  }
  shape.dims.insert(shape.dims.begin() + axis, Dim{depth, false});
  const OpId wanted = builder.Broadcast(indices, shape.dims, std::move(mapping));
  const OpId hit = builder.Compare(Comparison::kEq, wanted, builder.Iota(shape, axis));
  return builder.Select(hit, builder.BroadcastTo(on, shape.dims),
                        builder.BroadcastTo(off, shape.dims));
}

}  // namespace tilewise
