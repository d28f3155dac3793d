// One look at every op.

#include "graph/wide_matmuls.h"

#include <algorithm>

#include "graph/op_traits.h"

namespace tilewise {

bool HasWideMatmuls(const Graph& graph) {
  return std::any_of(graph.ops().begin(), graph.ops().end(), [](const Op& op) {
    const OpClass kind = ClassOf(op.kind);
    return op.shape.dtype == DType::kF32 &&
           (kind == OpClass::kMxu || kind == OpClass::kAttention || kind == OpClass::kRecurrent);
  });
}

}  // namespace tilewise
