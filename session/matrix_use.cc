// How well the kernels of one op of the model fill the matrix units.

#include "session/matrix_use.h"

#include <algorithm>

#include "base/math.h"

namespace tilewise {
namespace {

Seconds Avoidable(const KernelSpan& span) {
  const Seconds padding = span.mxu_busy - span.mxu_useful;
  const Seconds hidden = std::max(span.vector_busy, span.dma_busy);
  const Seconds exposed = span.duration - span.overhead - span.window_overhead - hidden;
  return std::max(Seconds{}, std::min(padding, exposed));
}

void Add(const Simulated& model, KernelId kernel, MatrixUse& use) {
  const Kernel& k = model.program.kernels[kernel];
  const KernelSpan& span = model.spans[kernel];
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

// The only dim of `shape` that is neither; -1 when there are several.
int64_t OnlyFreeDim(const Shape& shape, const std::vector<int64_t>& batch,
                    const std::vector<int64_t>& contract) {
  int64_t only = -1;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (std::ranges::find(batch, dim) != batch.end()) continue;
    if (std::ranges::find(contract, dim) != contract.end()) continue;
    if (only >= 0) return -1;
    only = dim;
  }
  return only;
}

}  // namespace

MatrixUse MatrixUseOf(const Facts& facts, OpId op) {
  MatrixUse use;
  if (facts.model == nullptr) return use;
  for (const KernelId kernel : facts.model->KernelsOf(op)) {
    Add(*facts.model, kernel, use);
  }
  return use;
}

MatrixUse MatrixUseOfStep(const Facts& facts) {
  MatrixUse use;
  if (facts.model == nullptr) return use;
  const size_t kernels = facts.model->program.kernels.size();
  for (size_t i = 0; i < kernels; ++i) {
    Add(*facts.model, KernelId(i), use);
  }
  return use;
}

std::vector<MatrixDim> ArrayDims(const Graph& graph, const Op& op, const Chip& chip,
                                 bool training) {
  std::vector<MatrixDim> dims;
  const auto add = [&dims](std::string name, int64_t size, int64_t unit) {
    dims.push_back({std::move(name), size, RoundUp(size, unit)});
  };
  const auto set_at = [&dims](OpId value, int64_t dim) {
    if (dim < 0) return;
    dims.back().value = value;
    dims.back().dim = dim;
  };
  const int64_t side = chip.mxu_side;
  if (op.kind == OpKind::kConvolution) {
    const Shape& kernel = graph.operand(op, 1).shape;
    const int64_t rank = kernel.rank();
    const int64_t out_features = kernel.size(rank - 1);
    const bool whole = op.as<ConvAttrs>().groups == 1;
    add("input features", kernel.size(rank - 2), side);
    set_at(op.operands[1], whole ? rank - 2 : -1);
    add("output features", out_features / op.as<ConvAttrs>().groups, side);
    set_at(op.operands[1], whole ? rank - 1 : -1);
    if (training && out_features > 0) {
      add("rows (examples x positions)", op.shape.elements() / out_features, side);
    }
  }
  if (op.kind == OpKind::kDot) {
    const DotDims& dot = op.as<DotAttrs>();
    const Shape& lhs = graph.operand(op, 0).shape;
    const Shape& rhs = graph.operand(op, 1).shape;
    add("contracted features", Product(lhs, dot.lhs_contract), side);
    const bool one = dot.rhs_contract.size() == 1;
    set_at(op.operands[1], one ? dot.rhs_contract[0] : -1);
    add("output features", FreeSize(rhs, dot.rhs_batch, dot.rhs_contract), side);
    set_at(op.operands[1], OnlyFreeDim(rhs, dot.rhs_batch, dot.rhs_contract));
    add("rows", FreeSize(lhs, dot.lhs_batch, dot.lhs_contract), training ? side : chip.sublanes);
  }
  return dims;
}

}  // namespace tilewise
