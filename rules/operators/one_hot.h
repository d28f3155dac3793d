// Gathers and scatters along one dim, written as products with a one-hot
// matrix: what the matrix unit does instead of picking rows one by one.

#pragma once

#include <optional>

#include "graph/graph_builder.h"

namespace tilewise {

// Length of the dim that the op picks from or adds to, when whole slices along
// that one dim are meant and the elements are floats; none for other ops.
std::optional<int64_t> OneHotDepth(const Graph& graph, const Op& op);

// What gives the result of such an op. `operands`: those of the op.
OpId OneHotProduct(GraphBuilder& builder, const Op& op, std::span<const OpId> operands);

}  // namespace tilewise
