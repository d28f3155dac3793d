// Dim maps of the ops, as far as the sizes divide.

#include "sim/lowering/partition/split_dims.h"

#include "sim/lowering/lowering_traits.h"

namespace tilewise {
std::optional<int64_t> OperandDim(const Graph& graph, const Op& op, size_t operand,
                                  int64_t result_dim, int64_t parts) {
  if (op.shape.size(result_dim) % parts != 0) return std::nullopt;
  const auto map = LoweringTraitsOf(op.kind).operand_dim;
  if (map == nullptr) return std::nullopt;
  const std::optional<int64_t> dim = map(graph, op, operand, result_dim);
  if (!dim || *dim == kWhole) return dim;
  const Shape& shape = graph.operand(op, static_cast<int>(operand)).shape;
  return DimUnless(shape.size(*dim) % parts != 0, *dim);
}

std::optional<int64_t> ResultDim(const Graph& graph, const Op& op, size_t operand, int64_t dim,
                                 int64_t parts) {
  for (int64_t result = 0; result < op.shape.rank(); ++result) {
    if (OperandDim(graph, op, operand, result, parts) == dim) return result;
  }
  return std::nullopt;
}

int64_t LargestDim(const Shape& shape, int64_t parts) {
  int64_t best = kWhole;
  if (shape.rank() < 2) return best;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t size = shape.size(dim);
    if (size % parts != 0) continue;
    if (best == kWhole || size > shape.size(best)) best = dim;
  }
  return best;
}

}  // namespace tilewise
