// Links of products: batch dims go through, contracted dims meet, and the
// gradient of a kernel may contract the batch itself.

#include "graph/batch_link_rules.h"

namespace tilewise {
namespace {

int64_t LinkFree(const Shape& shape, size_t operand,
                 const std::vector<int64_t>& batch,
                 const std::vector<int64_t>& contract, int64_t result,
                 DimLinks& links) {
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (HasDim(batch, dim) || HasDim(contract, dim)) continue;
    links.Link(operand, dim, result++);
  }
  return result;
}

}  // namespace

void LinkDot(const Graph& static_graph, const Op& op, DimLinks& links) {
  const DotDims& dot = op.attrs->dot;
  int64_t result = 0;
  for (size_t i = 0; i < dot.lhs_batch.size(); ++i) {
    links.AddResult(result++);
    links.Add(0, dot.lhs_batch[i]);
    links.Add(1, dot.rhs_batch[i]);
    links.Close();
  }
  const Shape& lhs = static_graph.operand(op, 0).shape;
  const Shape& rhs = static_graph.operand(op, 1).shape;
  result = LinkFree(lhs, 0, dot.lhs_batch, dot.lhs_contract, result, links);
  LinkFree(rhs, 1, dot.rhs_batch, dot.rhs_contract, result, links);
  for (size_t i = 0; i < dot.lhs_contract.size(); ++i) {
    links.Add(0, dot.lhs_contract[i]);
    links.Add(1, dot.rhs_contract[i]);
    links.Close();
  }
}

void LinkConvolution(const Op& op, DimLinks& links) {
  // Which of x, kernel and y are the operands, and which the result.
  constexpr size_t kIsResult = 2;
  const bool input_grad = op.kind == OpKind::kConvInputGrad;
  const bool kernel_grad = op.kind == OpKind::kConvKernelGrad;
  const size_t x = input_grad ? kIsResult : 0;
  const size_t kernel = kernel_grad ? kIsResult : 1;
  const size_t y = input_grad ? 0 : kernel_grad ? 1 : kIsResult;
  const auto pair = [&](size_t a, int64_t a_dim, size_t b, int64_t b_dim) {
    a == kIsResult ? links.AddResult(a_dim) : links.Add(a, a_dim);
    b == kIsResult ? links.AddResult(b_dim) : links.Add(b, b_dim);
    links.Close();
  };
  pair(x, 0, y, 0);
  if (op.attrs->groups != 1) return;
  const auto spatial = static_cast<int64_t>(op.attrs->window.size());
  pair(x, WindowFeatureDim(op.attrs), kernel, spatial);
  pair(y, WindowFeatureDim(op.attrs), kernel, spatial + 1);
}

}  // namespace tilewise
