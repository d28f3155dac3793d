// Counts in graphs, by definition and without the lowering.

#include "tests/zoo/counts.h"

namespace tilewise {
namespace {

// How many products make one element of the result.
double Depth(const Graph& graph, const Op& op) {
  double depth = 1;
  if (op.kind == OpKind::kDot) {
    for (const int64_t dim : op.as<DotAttrs>().lhs_contract) {
      depth *= static_cast<double>(graph.operand(op, 0).shape.size(dim));
    }
    return depth;
  }
  const std::vector<int64_t> kernel = graph.operand(op, 1).shape.sizes();
  for (size_t i = 0; i + 1 < kernel.size(); ++i) {
    depth *= static_cast<double>(kernel[i]);
  }
  return depth;
}

}  // namespace

double MultiplyAccumulates(const Graph& forward) {
  const Graph graph = forward.Bind(1);
  double total = 0;
  for (const Op& op : graph.ops()) {
    if (op.kind == OpKind::kDot || op.kind == OpKind::kConvolution) {
      total += static_cast<double>(op.shape.elements()) * Depth(graph, op);
    } else if (op.kind == OpKind::kAttention) {
      // Two products of every query with every key; q [N,T,H,D], k [N,S,..].
      total += 2 * static_cast<double>(graph.operand(op, 0).shape.elements()) *
               static_cast<double>(graph.operand(op, 1).shape.size(1));
    } else if (op.kind == OpKind::kConvInputGrad) {
      // Every input element meets every element of its filter.
      const std::vector<int64_t> kernel = graph.operand(op, 1).shape.sizes();
      double filter = 1;
      for (size_t i = 0; i + 1 < kernel.size(); ++i) {
        filter *= static_cast<double>(kernel[i]);
      }
      total += static_cast<double>(graph.operand(op, 0).shape.elements()) * filter;
    }
  }
  return total;
}

}  // namespace tilewise
