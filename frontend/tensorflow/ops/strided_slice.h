// What the five masks of StridedSlice mean, dim by dim.

#pragma once

#include <optional>
#include <vector>

#include "frontend/tensorflow/ops/cut.h"
#include "frontend/tensorflow/ops/op_context.h"

namespace tilewise::tf {

struct StridedSlice {
  std::vector<Cut> cuts;      // of each dim of the operand
  std::vector<bool> removed;  // dims that an index takes away
  // Of each dim of the result: the dim of the operand it comes from, or -1 for
  // a new one of size 1.
  std::vector<int64_t> result;
  // Indices that are data: dim of the operand -> place in `begin`.
  std::vector<std::optional<int64_t>> dynamic;

  // Sizes of the result of an operand of `dims`.
  std::vector<Dim> ResultDims(const std::vector<Dim>& dims) const;
};

// Of a node with begin, end and strides at operands first, first + 1 and
// first + 2, for an operand of `dims`. nullopt: a part of no elements.
absl::StatusOr<std::optional<StridedSlice>> ReadStridedSlice(const OpContext& ctx, int64_t first,
                                                             const std::vector<Dim>& dims);

}  // namespace tilewise::tf
