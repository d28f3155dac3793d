// What op functions ask of their operands before they add ops, so that a node
// that cannot be expressed fails with a message and not in the builder.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "frontend/tensorflow/ops/op_context.h"

namespace tilewise::tf {

// Operand i as an op; an error when it is no tensor. AnyTensor: it may be known
// to have no elements (ReaderContext::AnyInput).
absl::StatusOr<OpId> Tensor(OpContext& ctx, int64_t i);
absl::StatusOr<OpId> AnyTensor(OpContext& ctx, int64_t i);
absl::StatusOr<std::vector<OpId>> Tensors(OpContext& ctx, int64_t begin, int64_t end);
// Its shape without making it an op.
absl::StatusOr<Shape> TensorShapeOf(const OpContext& ctx, int64_t i);

// Operand i as integers known while reading; `what` names it in the error.
absl::StatusOr<std::vector<int64_t>> KnownList(const OpContext& ctx, int64_t i,
                                               std::string_view what);
absl::StatusOr<int64_t> KnownSingle(const OpContext& ctx, int64_t i, std::string_view what);
// Operand i as sizes, which may depend on the batch.
absl::StatusOr<std::vector<Dim>> KnownSizes(const OpContext& ctx, int64_t i, std::string_view what);

// Dim number `axis` of `rank`, counted from the end when it is negative.
absl::StatusOr<int64_t> NormalAxis(int64_t axis, int64_t rank);
// Ascending, each once.
absl::StatusOr<std::vector<int64_t>> NormalAxes(std::vector<int64_t> axes, int64_t rank);

// Product of the sizes, per batch when one of them is.
absl::StatusOr<Dim> ElementsOf(const std::vector<Dim>& dims);
// 0, 1, ... rank - 1.
std::vector<int64_t> AllDims(int64_t rank);
// Whether some dim has size 0: such a tensor cannot be in a graph.
bool IsEmpty(const std::vector<Dim>& dims);

// x flattened.
absl::StatusOr<OpId> Flattened(GraphBuilder& b, OpId x);

// The type of attribute `name`; the `otherwise` when the node has none.
DType TypeOr(const OpContext& ctx, std::string_view name, DType otherwise);

// Result `i`: an opaque op of `shape`. What an op becomes whose arithmetic is
// not in the graph.
absl::Status OpaqueResult(OpContext& ctx, int64_t i, Shape shape);

}  // namespace tilewise::tf
