// Sizes of matmuls are matmuls of dims.

#include "sim/graph_matmuls.h"

#include <algorithm>

namespace tilewise {
namespace {

int64_t SizeOf(const Shape& shape, const std::vector<int64_t>& dims) {
  int64_t size = 1;
  for (const int64_t dim : dims) size *= shape.size(dim);
  return size;
}

// Returns the size of all dims that are in neither list.
int64_t FreeSize(const Shape& shape, const std::vector<int64_t>& batch,
                 const std::vector<int64_t>& contract) {
  const auto has = [](const std::vector<int64_t>& dims, int64_t dim) {
    return std::find(dims.begin(), dims.end(), dim) != dims.end();
  };
  int64_t size = 1;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (!has(batch, dim) && !has(contract, dim)) size *= shape.size(dim);
  }
  return size;
}

OpMatmul DotProduct(const Graph& graph, const Op& op) {
  const DotDims& dot = op.as<DotAttrs>();
  const Shape& lhs = graph.operand(op, 0).shape;
  const Shape& rhs = graph.operand(op, 1).shape;
  OpMatmul found{.op = op.id};
  found.shape.m = FreeSize(lhs, dot.lhs_batch, dot.lhs_contract);
  found.shape.n = FreeSize(rhs, dot.rhs_batch, dot.rhs_contract);
  found.shape.k = SizeOf(lhs, dot.lhs_contract);
  found.repeats = SizeOf(lhs, dot.lhs_batch);
  return found;
}

// Kernels are [spatial.., in / groups, out].
OpMatmul ConvolutionProduct(const Graph& graph, const Op& op) {
  const Shape& kernel = graph.operand(op, 1).shape;
  const int64_t out = kernel.size(kernel.rank() - 1);
  OpMatmul found{.op = op.id, .repeats = op.as<ConvAttrs>().groups};
  found.shape.m = out > 0 ? op.shape.elements() / out : 0;
  found.shape.n = out / op.as<ConvAttrs>().groups;
  found.shape.k = out > 0 ? kernel.elements() / out : 0;
  return found;
}

// q [N,queries,heads,depth], k [N,keys,kv heads,depth], v [.., value depth].
void AddAttention(const Graph& graph, const Op& op, std::vector<OpMatmul>& found) {
  const Shape& q = graph.operand(op, 0).shape;
  const Shape& k = graph.operand(op, 1).shape;
  const Shape& v = graph.operand(op, 2).shape;
  const int64_t heads = q.size(0) * q.size(2);
  found.push_back({op.id, {q.size(1), k.size(1), q.size(3)}, heads});
  found.push_back({op.id, {q.size(1), v.size(3), k.size(1)}, heads});
}

// z [N,T,G*U], u [U,G*U].
OpMatmul RecurrentProduct(const Graph& graph, const Op& op) {
  const Shape& z = graph.operand(op, 0).shape;
  const Shape& u = graph.operand(op, 1).shape;
  return {op.id, {z.size(0), u.size(1), u.size(0)}, z.size(1)};
}

bool IsEmpty(const OpMatmul& found) {
  return std::min({found.shape.m, found.shape.n, found.shape.k, found.repeats}) < 1;
}

}  // namespace

std::vector<OpMatmul> MatmulsOf(const Graph& graph) {
  std::vector<OpMatmul> found;
  for (const Op& op : graph.ops()) {
    switch (op.kind) {
      case OpKind::kDot:
        found.push_back(DotProduct(graph, op));
        break;
      case OpKind::kConvolution:
        found.push_back(ConvolutionProduct(graph, op));
        break;
      case OpKind::kAttention:
      case OpKind::kFlashAttention:
        if (op.as<AttentionAttrs>().result == 0) AddAttention(graph, op, found);
        break;
      case OpKind::kRecurrent:
        found.push_back(RecurrentProduct(graph, op));
        break;
      default:
        break;
    }
  }
  std::erase_if(found, IsEmpty);
  return found;
}

}  // namespace tilewise
