// Gradients of dots and convolutions. The three convolution ops y = conv(x, w),
// dx = input-grad(dy, w) and dw = kernel-grad(x, dy) are the partial
// derivatives of one trilinear form, so each one's gradients are the other two.

#include <algorithm>
#include <utility>

#include "graph/gradients/gradient.h"

namespace tilewise {
namespace {

std::vector<int64_t> Range(int64_t begin, int64_t end) {
  std::vector<int64_t> values;
  for (int64_t i = begin; i < end; ++i) values.push_back(i);
  return values;
}

std::vector<int64_t> Rest(int64_t rank, const std::vector<int64_t>& batch,
                          const std::vector<int64_t>& contract) {
  std::vector<int64_t> rest;
  for (int64_t dim = 0; dim < rank; ++dim) {
    const auto is_dim = [&](int64_t other) { return other == dim; };
    if (std::any_of(batch.begin(), batch.end(), is_dim)) continue;
    if (std::any_of(contract.begin(), contract.end(), is_dim)) continue;
    rest.push_back(dim);
  }
  return rest;
}

// The permutation that puts result dim i, which holds dim `held[i]` of an
// operand, in its place; the operand itself when all are.
OpId Restore(GraphBuilder& b, OpId x, const std::vector<int64_t>& held) {
  if (std::is_sorted(held.begin(), held.end())) return x;
  std::vector<int64_t> permutation(held.size());
  for (size_t i = 0; i < held.size(); ++i) {
    permutation[static_cast<size_t>(held[i])] = static_cast<int64_t>(i);
  }
  return b.Transpose(x, std::move(permutation));
}

// Dims of `mine` that were contracted, in the ascending order of the dims of
// `other` they met.
std::vector<int64_t> InOrderOf(const std::vector<int64_t>& other,
                               const std::vector<int64_t>& mine) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i < mine.size(); ++i) pairs.push_back({other[i], mine[i]});
  std::sort(pairs.begin(), pairs.end());
  std::vector<int64_t> ordered;
  ordered.reserve(pairs.size());
  for (const auto& [met, dim] : pairs) ordered.push_back(dim);
  return ordered;
}

std::vector<int64_t> Joined(std::vector<int64_t> a,
                            const std::vector<int64_t>& b,
                            const std::vector<int64_t>& c) {
  a.insert(a.end(), b.begin(), b.end());
  a.insert(a.end(), c.begin(), c.end());
  return a;
}

// A wide result is of another type than the operands.
OpId InOperandType(const GradientCall& call) {
  return call.builder.Convert(call.dy, call.shape(0).dtype);
}

Attributes OfGradient(const Attributes& forward, DotDims dims) {
  Attributes attrs;
  attrs.dot = std::move(dims);
  attrs.precision_passes = forward.precision_passes;
  attrs.quantized = forward.quantized;
  attrs.window = forward.window;
  return attrs;
}

// dy: batch, free of lhs, free of rhs. Contracting the free dims of rhs leaves
// batch, free of lhs, and those dims of rhs that lhs was contracted with.
OpId LhsGradient(const GradientCall& call) {
  const DotDims& dot = call.op.attrs->dot;
  const auto batch = static_cast<int64_t>(dot.lhs_batch.size());
  const auto lhs_free =
      Rest(call.shape(0).rank(), dot.lhs_batch, dot.lhs_contract);
  const auto rhs_free =
      Rest(call.shape(1).rank(), dot.rhs_batch, dot.rhs_contract);
  const int64_t rank = call.op.shape.rank();
  DotDims dims;
  dims.lhs_batch = Range(0, batch);
  dims.rhs_batch = dot.rhs_batch;
  dims.lhs_contract = Range(rank - static_cast<int64_t>(rhs_free.size()), rank);
  dims.rhs_contract = rhs_free;
  Attributes attrs = OfGradient(call.op.attrs, std::move(dims));
  // Features of the result are summed now.
  if (!attrs.window.empty()) std::swap(attrs.window[1], attrs.window[2]);
  const OpId product = call.builder.DotAs(InOperandType(call), call.operand(1),
                                          std::move(attrs));
  return Restore(call.builder, product,
                 Joined(dot.lhs_batch, lhs_free,
                        InOrderOf(dot.rhs_contract, dot.lhs_contract)));
}

OpId RhsGradient(const GradientCall& call) {
  const DotDims& dot = call.op.attrs->dot;
  const auto batch = static_cast<int64_t>(dot.lhs_batch.size());
  const auto lhs_free =
      Rest(call.shape(0).rank(), dot.lhs_batch, dot.lhs_contract);
  const auto rhs_free =
      Rest(call.shape(1).rank(), dot.rhs_batch, dot.rhs_contract);
  DotDims dims;
  dims.lhs_batch = dot.lhs_batch;
  dims.rhs_batch = Range(0, batch);
  dims.lhs_contract = lhs_free;
  dims.rhs_contract =
      Range(batch, batch + static_cast<int64_t>(lhs_free.size()));
  const OpId product =
      call.builder.DotAs(call.operand(0), InOperandType(call),
                         OfGradient(call.op.attrs, std::move(dims)));
  return Restore(
      call.builder, product,
      Joined(dot.rhs_batch, InOrderOf(dot.lhs_contract, dot.rhs_contract),
             rhs_free));
}

}  // namespace

Gradients DotGradient(const GradientCall& call) {
  return {call.wants(0) ? LhsGradient(call) : kNoOp,
          call.wants(1) ? RhsGradient(call) : kNoOp};
}

Gradients ConvolutionGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Attributes& attrs = call.op.attrs;
  const OpId x = call.operand(0);
  const OpId kernel = call.operand(1);
  return {call.wants(0) ? b.ConvInputGrad(call.dy, kernel, call.shape(0), attrs)
                        : kNoOp,
          call.wants(1) ? b.ConvKernelGrad(x, call.dy, call.shape(1), attrs)
                        : kNoOp};
}

// op = input-grad(g, w): its own gradient `dy` has the shape of x.
Gradients ConvInputGradGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Attributes& attrs = call.op.attrs;
  const OpId g = call.operand(0);
  const OpId kernel = call.operand(1);
  return {call.wants(0) ? b.Convolution(call.dy, kernel, attrs.window,
                                        attrs.groups, attrs.channels_first)
                        : kNoOp,
          call.wants(1) ? b.ConvKernelGrad(call.dy, g, call.shape(1), attrs)
                        : kNoOp};
}

// op = kernel-grad(x, g): its own gradient `dy` has the shape of the kernel.
Gradients ConvKernelGradGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Attributes& attrs = call.op.attrs;
  const OpId x = call.operand(0);
  const OpId g = call.operand(1);
  return {
      call.wants(0) ? b.ConvInputGrad(g, call.dy, call.shape(0), attrs) : kNoOp,
      call.wants(1) ? b.Convolution(x, call.dy, attrs.window, attrs.groups,
                                    attrs.channels_first)
                    : kNoOp};
}

}  // namespace tilewise
