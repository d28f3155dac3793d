// Parts of tensors: what StridedSlice, Slice and Split take, by place.

#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "graph/graph_builder.h"

namespace tilewise::tf {

// The places start, start + stride, ... (`count` of them) of one dim. A
// negative stride goes backwards, a whole dim too. A dim that depends on the
// batch is whole, but for a part that starts at a known place.
struct Cut {
  bool whole = true;
  int64_t start = 0;
  int64_t count = 1;
  int64_t stride = 1;
};

// x with each of its dims cut.
absl::StatusOr<OpId> CutAll(GraphBuilder& b, OpId x, const std::vector<Cut>& cuts);
// Zeros of `dims` with dy at the places of the cuts: the gradient of CutAll.
absl::StatusOr<OpId> PutBack(GraphBuilder& b, OpId dy, const std::vector<Dim>& dims,
                             const std::vector<Cut>& cuts);

// Element i of a vector, as a scalar.
OpId VectorElement(GraphBuilder& b, OpId vector, int64_t i);

}  // namespace tilewise::tf
