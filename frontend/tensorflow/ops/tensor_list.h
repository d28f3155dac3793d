// Tensors that ops write and read by index: what TensorArrays and TensorLists
// have in common. A list is one tensor [length, element..] in the graph, as XLA
// keeps it.

#pragma once

#include <optional>
#include <vector>

#include "frontend/tensorflow/ops/op_context.h"

namespace tilewise::tf {

// The sizes that the node gives for an element, at an operand (-1: none) or in
// the attribute element_shape; nullopt: not all are known.
std::optional<std::vector<Dim>> ElementDims(const OpContext& ctx, int64_t operand);
// The list at an operand.
absl::StatusOr<TensorList> ReadList(const OpContext& ctx, int64_t operand);
// The index at an operand, as a scalar.
absl::StatusOr<OpId> IndexAt(OpContext& ctx, int64_t operand);
// An operand that can be a list: of rank 1 or more.
absl::StatusOr<OpId> StackedOperand(OpContext& ctx, int64_t operand);
TensorList FromTensor(const GraphBuilder& b, OpId x);

// Sets results 0 and 1 to a new list whose length is at an operand.
absl::Status CreateList(OpContext& ctx, DType dtype, std::optional<std::vector<Dim>> element,
                        int64_t length_operand);
// The list with `item` at `place`. What a loop writes first is carried into it
// from outside, so that each iteration changes one element in place.
absl::StatusOr<TensorList> Written(OpContext& ctx, TensorList list, OpId place, OpId item);
absl::StatusOr<OpId> ElementAt(OpContext& ctx, const TensorList& list, OpId place);

// These set result 0: the whole list, its length, its elements at the indices
// of an operand, its elements one after the other.
absl::Status SetStacked(OpContext& ctx, const TensorList& list);
absl::Status SetLength(OpContext& ctx, const TensorList& list);
absl::Status SetGathered(OpContext& ctx, const TensorList& list, int64_t indices);
absl::Status SetConcatenated(OpContext& ctx, const TensorList& list);

}  // namespace tilewise::tf
