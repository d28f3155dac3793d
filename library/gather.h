// Indexed access of the frameworks as gathers and scatters of slices. Indices
// are integers; negative ones are taken as they are, since the wrap-around adds
// two elementwise ops to small tensors at most.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

// numpy's take: x[.., indices, ..] along `axis`. The first `batch_dims` dims of
// x and indices are paired.
OpId TakeAlong(GraphBuilder& builder, OpId x, OpId indices, int64_t axis, int64_t batch_dims = 0);
// x[.., index, ..] of one known index; the dim is removed.
OpId ElementAlong(GraphBuilder& builder, OpId x, int64_t index, int64_t axis);
// numpy's take_along_axis: dims of indices, which are those of x or smaller,
// but for `axis`.
OpId TakeElements(GraphBuilder& builder, OpId x, OpId indices, int64_t axis);
// The last dim of indices places a slice in the dims of x that follow the batch
// dims.
OpId GatherNd(GraphBuilder& builder, OpId x, OpId indices, int64_t batch_dims = 0);

// How scattered updates meet what is there.
struct ScatterRule {
  Reducer reducer = Reducer::kSum;
  bool assign = true;  // the update replaces it
};
// x with the slices that GatherNd would give replaced by (joined with) updates.
OpId ScatterNd(GraphBuilder& builder, OpId x, OpId indices, OpId updates, const ScatterRule& rule,
               int64_t batch_dims = 0);
// The inverse of TakeElements.
OpId ScatterElements(GraphBuilder& builder, OpId x, OpId indices, OpId updates, int64_t axis,
                     const ScatterRule& rule);
// x with x[.., indices, ..] along `axis` replaced by (joined with) updates.
OpId ScatterAlong(GraphBuilder& builder, OpId x, OpId indices, OpId updates, int64_t axis,
                  const ScatterRule& rule);

// on where the index is, else off, in a new dim `axis` of size `depth`.
OpId OneHot(GraphBuilder& builder, OpId indices, int64_t depth, int64_t axis, OpId on, OpId off);

}  // namespace tilewise
