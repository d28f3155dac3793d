// The ops a builder offers: each fills kind, operands and attributes; shapes
// come from shape_inference.

#include <utility>

#include <fmt/format.h>

#include "graph/graph_builder.h"

namespace tilewise {
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
  op.attrs = VariableAttrs{trainable};
  return Add(std::move(op), name);
}

OpId GraphBuilder::Constant(double value, Shape shape) {
  return AddMade(OpKind::kConstant, {}, ConstantAttrs{value}, std::move(shape));
}

OpId GraphBuilder::Iota(Shape shape, int64_t dim) {
  return AddMade(OpKind::kIota, {}, DimsAttrs{{dim}}, std::move(shape));
}

OpId GraphBuilder::Unary(OpKind kind, OpId x) { return AddMade(kind, {x}); }

OpId GraphBuilder::Binary(OpKind kind, OpId x, OpId y) { return AddMade(kind, {x, y}); }

OpId GraphBuilder::Compare(Comparison comparison, OpId x, OpId y) {
  return AddMade(OpKind::kCompare, {x, y}, CompareAttrs{comparison});
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
  return AddMade(OpKind::kSoftmax, {x}, DimsAttrs{{dim}});
}

OpId GraphBuilder::SoftmaxCrossEntropy(OpId logits, OpId labels) {
  return AddMade(OpKind::kSoftmaxCrossEntropy, {logits, labels});
}

OpId GraphBuilder::BatchNormTraining(OpId x, OpId scale, OpId offset, int64_t feature_dim,
                                     double epsilon) {
  return AddMade(OpKind::kBatchNormTraining, {x, scale, offset},
                 BatchNormAttrs{{feature_dim}, epsilon});
}

OpId GraphBuilder::BatchNormTracking(OpId x, OpId scale, OpId offset, OpId mean, OpId variance,
                                     int64_t feature_dim, double epsilon, double momentum) {
  for (const OpId id : {mean, variance}) {
    if (id == kNoOp || op(id).kind == OpKind::kVariable) continue;
    Fail(fmt::format("batch norm: found {} as moving statistics, expected a variable",
                     OpName(op(id).kind)));
  }
  return AddMade(OpKind::kBatchNormTraining, {x, scale, offset, mean, variance},
                 BatchNormAttrs{{feature_dim}, epsilon, momentum});
}

OpId GraphBuilder::BatchNormInference(OpId x, OpId scale, OpId offset, OpId mean, OpId variance,
                                      int64_t feature_dim, double epsilon) {
  return AddMade(OpKind::kBatchNormInference, {x, scale, offset, mean, variance},
                 BatchNormAttrs{{feature_dim}, epsilon});
}

OpId GraphBuilder::LayerNorm(OpId x, OpId scale, OpId offset, std::vector<int64_t> dims,
                             double epsilon) {
  return AddMade(OpKind::kLayerNorm, {x, scale, offset}, LayerNormAttrs{std::move(dims), epsilon});
}

OpId GraphBuilder::Gelu(OpId x, bool approximate) {
  return AddMade(OpKind::kGelu, {x}, GeluAttrs{approximate});
}

OpId GraphBuilder::Dot(OpId lhs, OpId rhs, DotDims dims, int64_t precision_passes) {
  return DotAs(lhs, rhs, {std::move(dims), precision_passes});
}

OpId GraphBuilder::DotAs(OpId lhs, OpId rhs, DotAttrs attrs) {
  return AddMade(OpKind::kDot, {lhs, rhs}, std::move(attrs));
}

OpId GraphBuilder::MatMul(OpId x, OpId y) {
  if (shape(y).rank() != 2 && y != kNoOp) {
    Fail(fmt::format("matmul: operand 1 has {}, expected rank 2", FormatShape(shape(y))));
  }
  DotDims dims;
  dims.lhs_contract = {shape(x).rank() - 1};
  dims.rhs_contract = {0};
  return Dot(x, y, std::move(dims));
}

OpId GraphBuilder::Convolution(OpId x, OpId kernel, std::vector<WindowDim> window, int64_t groups,
                               bool channels_first, int64_t precision_passes) {
  return AddMade(OpKind::kConvolution, {x, kernel},
                 ConvAttrs{{std::move(window), channels_first}, groups, precision_passes});
}

OpId GraphBuilder::ConvInputGrad(OpId dy, OpId kernel, const Shape& x_shape,
                                 const ConvAttrs& forward) {
  return AddMade(OpKind::kConvInputGrad, {dy, kernel}, forward, x_shape);
}

OpId GraphBuilder::ConvKernelGrad(OpId x, OpId dy, const Shape& kernel_shape,
                                  const ConvAttrs& forward) {
  return AddMade(OpKind::kConvKernelGrad, {x, dy}, forward, kernel_shape);
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
  return AddMade(OpKind::kGatherSlices, {operand, indices}, SlicesAttrs{std::move(dims)});
}

OpId GraphBuilder::ScatterSlices(OpId operand, OpId indices, OpId updates, GatherDims dims,
                                 Reducer reducer, bool assign) {
  dims.slice_sizes.clear();
  return AddMade(OpKind::kScatterSlices, {operand, indices, updates},
                 SlicesAttrs{std::move(dims), assign, reducer});
}

OpId GraphBuilder::Rng(OpKind kind, Shape shape) { return AddMade(kind, {}, {}, std::move(shape)); }

OpId GraphBuilder::RngCategorical(OpId logits) {
  return AddMade(OpKind::kRngCategorical, {logits});
}

OpId GraphBuilder::Recurrent(CellKind cell, OpId z, OpId u, bool reverse_time) {
  return AddMade(OpKind::kRecurrent, {z, u}, RecurrentAttrs{reverse_time, cell});
}

OpId GraphBuilder::RecurrentGrad(CellKind cell, OpId z, OpId u, OpId h, OpId dh,
                                 bool reverse_time) {
  return AddMade(OpKind::kRecurrentGrad, {z, u, h, dh}, RecurrentAttrs{reverse_time, cell});
}

OpId GraphBuilder::Opaque(std::string_view label, std::vector<OpId> operands, Shape shape) {
  return AddMade(OpKind::kOpaque, std::move(operands), OpaqueAttrs{std::string(label)},
                 std::move(shape));
}

}  // namespace tilewise
