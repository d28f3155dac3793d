// How well the kernels of one op of the model fill the matrix units.

#include "rules/matrix_use.h"

#include <algorithm>

namespace tilewise {
namespace {

Seconds Avoidable(const KernelSpan& span) {
  const Seconds padding = span.mxu_busy - span.mxu_useful;
  const Seconds hidden = std::max(span.vector_busy, span.dma_busy);
  const Seconds exposed = span.duration - span.overhead - hidden;
  return std::max(Seconds{}, std::min(padding, exposed));
}

void Add(const Simulated& model, int32_t kernel, MatrixUse& use) {
  const Kernel& k = model.program.kernels[static_cast<size_t>(kernel)];
  const KernelSpan& span = model.spans[static_cast<size_t>(kernel)];
  if (k.matrix.padded_flops <= 0) return;
  use.useful_flops += k.matrix.useful_flops;
  use.padded_flops += k.matrix.padded_flops;
  use.time += span.duration;
  use.avoidable += Avoidable(span);
}

int64_t Product(const Shape& shape, const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= shape.size(dim);
  return product;
}

// Everything that is neither a batch nor a contracted dim.
int64_t FreeSize(const Shape& shape, const std::vector<int64_t>& batch,
                 const std::vector<int64_t>& contract) {
  const int64_t rest = Product(shape, batch) * Product(shape, contract);
  return rest == 0 ? 0 : shape.elements() / rest;
}

}  // namespace

MatrixUse MatrixUseOf(const Facts& facts, OpId op) {
  MatrixUse use;
  if (facts.model == nullptr) return use;
  for (const int32_t kernel : facts.model->KernelsOf(op)) {
    Add(*facts.model, kernel, use);
  }
  return use;
}

MatrixUse MatrixUseOfStep(const Facts& facts) {
  MatrixUse use;
  if (facts.model == nullptr) return use;
  const size_t kernels = facts.model->program.kernels.size();
  for (size_t i = 0; i < kernels; ++i) {
    Add(*facts.model, static_cast<int32_t>(i), use);
  }
  return use;
}

std::vector<MatrixDim> ArrayDims(const Graph& graph, const Op& op) {
  if (op.kind == OpKind::kConvolution) {
    const Shape& kernel = graph.operand(op, 1).shape;
    const int64_t rank = kernel.rank();
    return {{"input features", kernel.size(rank - 2)},
            {"output features", kernel.size(rank - 1) / op.attrs.groups}};
  }
  if (op.kind == OpKind::kDot) {
    const DotDims& dims = op.attrs.dot;
    const Shape& lhs = graph.operand(op, 0).shape;
    const Shape& rhs = graph.operand(op, 1).shape;
    return {
        {"contracted features", Product(lhs, dims.lhs_contract)},
        {"output features", FreeSize(rhs, dims.rhs_batch, dims.rhs_contract)}};
  }
  return {};
}

}  // namespace tilewise
