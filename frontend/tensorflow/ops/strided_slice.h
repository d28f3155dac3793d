// Parts of tensors, by index: what StridedSlice, Slice and Split take.

#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "frontend/tensorflow/ops/op_context.h"
#include "graph/graph_builder.h"

namespace tilewise::tf {

// The indices start, start + stride, ... (`count` of them) of one dim. A
// negative stride goes backwards, a whole dim too. A dim that depends on the
// batch is whole, but for a part that starts at a known index.
struct Cut {
  bool whole = true;
  int64_t start = 0;
  int64_t count = 1;
  int64_t stride = 1;
};

// x with each of its dims cut.
absl::StatusOr<OpId> CutAll(GraphBuilder& b, OpId x, const std::vector<Cut>& cuts);
// Zeros of `dims` with dy at the indices of the cuts: the gradient of CutAll.
absl::StatusOr<OpId> PutBack(GraphBuilder& b, OpId dy, const std::vector<Dim>& dims,
                             const std::vector<Cut>& cuts);

// Element i of a vector, as a scalar.
OpId VectorElement(GraphBuilder& b, OpId vector, int64_t i);

// What the five masks of StridedSlice mean, dim by dim.
struct StridedSlice {
  std::vector<Cut> cuts;      // of each dim of the operand
  std::vector<bool> removed;  // dims that an index takes away
  // This is, for each dim of the result, the dim of the operand it comes from,
  // or -1 for a new one of size 1.
  std::vector<int64_t> result;
  // Indices that are data: dim of the operand -> index in `begin`.
  std::vector<std::optional<int64_t>> dynamic;

  // Sizes of the result of an operand of `dims`.
  std::vector<Dim> ResultDims(const std::vector<Dim>& dims) const;
};

// Reads a node with begin, end and strides at operands first, first + 1 and
// first + 2, for an operand of `dims`. nullopt: a part of no elements.
absl::StatusOr<std::optional<StridedSlice>> ReadStridedSlice(const OpContext& ctx, int64_t first,
                                                             const std::vector<Dim>& dims);

}  // namespace tilewise::tf
