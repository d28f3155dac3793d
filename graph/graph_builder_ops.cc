// The ops a builder offers: each fills kind, operands and attributes; shapes
// come from shape_inference.

#include <utility>

#include <fmt/format.h>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

// What the gradients of a convolution share with it.
Attributes ConvAttributes(const Attributes& forward) {
  Attributes attrs;
  attrs.window = forward.window;
  attrs.groups = forward.groups;
  attrs.channels_first = forward.channels_first;
  attrs.precision_passes = forward.precision_passes;
  return attrs;
}

}  // namespace

OpId GraphBuilder::Parameter(Shape shape, std::string_view name) {
  Op op;
  op.kind = OpKind::kParameter;
  op.shape = std::move(shape);
  return Add(std::move(op), name);
}

OpId GraphBuilder::Variable(Shape shape, std::string_view name, bool trainable) {
  Op op;
  op.kind = OpKind::kVariable;
  op.shape = std::move(shape);
  op.attrs->trainable = trainable;
  return Add(std::move(op), name);
}

OpId GraphBuilder::Constant(double value, Shape shape) {
  Attributes attrs;
  attrs.value = value;
  return AddMade(OpKind::kConstant, {}, std::move(attrs), std::move(shape));
}

OpId GraphBuilder::Iota(Shape shape, int64_t dim) {
  Attributes attrs;
  attrs.dims = {dim};
  return AddMade(OpKind::kIota, {}, std::move(attrs), std::move(shape));
}

OpId GraphBuilder::Unary(OpKind kind, OpId x) { return AddMade(kind, {x}); }

OpId GraphBuilder::Binary(OpKind kind, OpId x, OpId y) { return AddMade(kind, {x, y}); }

OpId GraphBuilder::Compare(Comparison comparison, OpId x, OpId y) {
  Attributes attrs;
  attrs.comparison = comparison;
  return AddMade(OpKind::kCompare, {x, y}, std::move(attrs));
}

OpId GraphBuilder::Select(OpId pred, OpId on_true, OpId on_false) {
  return AddMade(OpKind::kSelect, {pred, on_true, on_false});
}

OpId GraphBuilder::Convert(OpId x, DType dtype) {
  if (shape(x).dtype == dtype) return x;
  return AddMade(OpKind::kConvert, {x}, {}, {dtype, {}});
}

OpId GraphBuilder::BinaryScalar(OpKind kind, OpId x, double y) {
  OpId scalar = Scalar(y, shape(x).dtype);
  if (shape(x).rank() > 0) scalar = Broadcast(scalar, shape(x).dims, {});
  return Binary(kind, x, scalar);
}

OpId GraphBuilder::Softmax(OpId x, int64_t dim) {
  Attributes attrs;
  attrs.dims = {dim};
  return AddMade(OpKind::kSoftmax, {x}, std::move(attrs));
}

OpId GraphBuilder::SoftmaxCrossEntropy(OpId logits, OpId labels) {
  return AddMade(OpKind::kSoftmaxCrossEntropy, {logits, labels});
}

OpId GraphBuilder::BatchNormTraining(OpId x, OpId scale, OpId offset, int64_t feature_dim,
                                     double epsilon) {
  Attributes attrs;
  attrs.dims = {feature_dim};
  attrs.epsilon = epsilon;
  return AddMade(OpKind::kBatchNormTraining, {x, scale, offset}, std::move(attrs));
}

OpId GraphBuilder::BatchNormTracking(OpId x, OpId scale, OpId offset, OpId mean, OpId variance,
                                     int64_t feature_dim, double epsilon, double momentum) {
  for (const OpId id : {mean, variance}) {
    if (id == kNoOp || op(id).kind == OpKind::kVariable) continue;
    Fail(fmt::format("batch norm: found {} as moving statistics, expected a variable",
                     OpName(op(id).kind)));
  }
  Attributes attrs;
  attrs.dims = {feature_dim};
  attrs.epsilon = epsilon;
  attrs.momentum = momentum;
  return AddMade(OpKind::kBatchNormTraining, {x, scale, offset, mean, variance}, std::move(attrs));
}

OpId GraphBuilder::BatchNormInference(OpId x, OpId scale, OpId offset, OpId mean, OpId variance,
                                      int64_t feature_dim, double epsilon) {
  Attributes attrs;
  attrs.dims = {feature_dim};
  attrs.epsilon = epsilon;
  return AddMade(OpKind::kBatchNormInference, {x, scale, offset, mean, variance}, std::move(attrs));
}

OpId GraphBuilder::LayerNorm(OpId x, OpId scale, OpId offset, std::vector<int64_t> dims,
                             double epsilon) {
  Attributes attrs;
  attrs.dims = std::move(dims);
  attrs.epsilon = epsilon;
  return AddMade(OpKind::kLayerNorm, {x, scale, offset}, std::move(attrs));
}

OpId GraphBuilder::Gelu(OpId x, bool approximate) {
  Attributes attrs;
  attrs.approximate = approximate;
  return AddMade(OpKind::kGelu, {x}, std::move(attrs));
}

OpId GraphBuilder::Dot(OpId lhs, OpId rhs, DotDims dims, int64_t precision_passes) {
  Attributes attrs;
  attrs.dot = std::move(dims);
  attrs.precision_passes = precision_passes;
  return DotAs(lhs, rhs, std::move(attrs));
}

OpId GraphBuilder::DotAs(OpId lhs, OpId rhs, Attributes attrs) {
  return AddMade(OpKind::kDot, {lhs, rhs}, std::move(attrs));
}

OpId GraphBuilder::MatMul(OpId x, OpId y) {
  if (shape(y).rank() != 2 && y != kNoOp) {
    Fail(fmt::format("matrix product: operand 1 has {}, expected rank 2", FormatShape(shape(y))));
  }
  DotDims dims;
  dims.lhs_contract = {shape(x).rank() - 1};
  dims.rhs_contract = {0};
  return Dot(x, y, std::move(dims));
}

OpId GraphBuilder::Convolution(OpId x, OpId kernel, std::vector<WindowDim> window, int64_t groups,
                               bool channels_first, int64_t precision_passes) {
  Attributes attrs;
  attrs.window = std::move(window);
  attrs.groups = groups;
  attrs.channels_first = channels_first;
  attrs.precision_passes = precision_passes;
  return AddMade(OpKind::kConvolution, {x, kernel}, std::move(attrs));
}

OpId GraphBuilder::ConvInputGrad(OpId dy, OpId kernel, const Shape& x_shape,
                                 const Attributes& forward) {
  return AddMade(OpKind::kConvInputGrad, {dy, kernel}, ConvAttributes(forward), x_shape);
}

OpId GraphBuilder::ConvKernelGrad(OpId x, OpId dy, const Shape& kernel_shape,
                                  const Attributes& forward) {
  return AddMade(OpKind::kConvKernelGrad, {x, dy}, ConvAttributes(forward), kernel_shape);
}

OpId GraphBuilder::Gather(OpId table, OpId indices) {
  return AddMade(OpKind::kGather, {table, indices});
}

OpId GraphBuilder::ScatterAdd(OpId indices, OpId updates, const Shape& table_shape) {
  return AddMade(OpKind::kScatterAdd, {indices, updates}, {}, table_shape);
}

OpId GraphBuilder::GatherSlices(OpId operand, OpId indices, GatherDims dims) {
  const std::vector<Dim>& whole = shape(operand).dims;
  for (size_t i = 0; i < dims.slice_sizes.size() && i < whole.size(); ++i) {
    int64_t& size = dims.slice_sizes[i];
    if (size == kWholeDim && !whole[i].per_batch) size = whole[i].factor;
  }
  Attributes attrs;
  attrs.gather = std::move(dims);
  return AddMade(OpKind::kGatherSlices, {operand, indices}, std::move(attrs));
}

OpId GraphBuilder::ScatterSlices(OpId operand, OpId indices, OpId updates, GatherDims dims,
                                 Reducer reducer, bool assign) {
  Attributes attrs;
  attrs.gather = std::move(dims);
  attrs.gather->slice_sizes.clear();
  attrs.reducer = reducer;
  attrs.assign = assign;
  return AddMade(OpKind::kScatterSlices, {operand, indices, updates}, std::move(attrs));
}

OpId GraphBuilder::Rng(OpKind kind, Shape shape) { return AddMade(kind, {}, {}, std::move(shape)); }

OpId GraphBuilder::RngCategorical(OpId logits) {
  return AddMade(OpKind::kRngCategorical, {logits});
}

OpId GraphBuilder::Recurrent(CellKind cell, OpId z, OpId u, bool reverse_time) {
  Attributes attrs;
  attrs.cell = cell;
  attrs.reverse_time = reverse_time;
  return AddMade(OpKind::kRecurrent, {z, u}, std::move(attrs));
}

OpId GraphBuilder::RecurrentGrad(CellKind cell, OpId z, OpId u, OpId h, OpId dh,
                                 bool reverse_time) {
  Attributes attrs;
  attrs.cell = cell;
  attrs.reverse_time = reverse_time;
  return AddMade(OpKind::kRecurrentGrad, {z, u, h, dh}, std::move(attrs));
}

OpId GraphBuilder::Opaque(std::string_view label, std::vector<OpId> operands, Shape shape) {
  Attributes attrs;
  attrs.label = std::string(label);
  return AddMade(OpKind::kOpaque, std::move(operands), std::move(attrs), std::move(shape));
}

}  // namespace tilewise
