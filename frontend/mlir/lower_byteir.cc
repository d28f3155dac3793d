// Layers that ByteIR keeps whole as custom calls, written out: softmax, layer
// normalisation, GELU, the negative log likelihood.

#include <cmath>
#include <utility>

#include "frontend/mlir/arithmetic.h"
#include "frontend/mlir/lowerers.h"

namespace tilewise::mlir {
namespace {

using hlo::HloShape;
using hlo::Instruction;
using hlo::Opcode;
using Dims = std::vector<int64_t>;

const Attribute* LayerAttribute(const Operation& op, std::string_view name) {
  const Attribute* all = op.Find("byteir_attrs");
  return all == nullptr ? nullptr : all->Find(name);
}

Dims WithoutDims(const Dims& dims, const Dims& removed) {
  Dims kept;
  for (size_t i = 0; i < dims.size(); ++i) {
    bool gone = false;
    for (int64_t dim : removed) gone = gone || dim == static_cast<int64_t>(i);
    if (!gone) kept.push_back(dims[i]);
  }
  return kept;
}

// Dims of a rank but for some.
Dims OtherDims(size_t rank, const Dims& removed) {
  Dims all(rank);
  for (size_t i = 0; i < rank; ++i) all[i] = static_cast<int64_t>(i);
  return WithoutDims(all, removed);
}

Index Reduce(Body& body, const Operation& op, Opcode join, Index x,
             const Dims& dims) {
  const HloShape shape = body.shape(x);
  const HloShape scalar = ArrayShape(shape.dtype, {});
  Body reducer(body.lowering());
  const Index a = reducer.Parameter(scalar, "a");
  const Index b = reducer.Parameter(scalar, "b");
  reducer.SetResults({reducer.Make(op, join, scalar, {a, b})});
  Instruction reduce;
  reduce.opcode = Opcode::kReduce;
  reduce.called = {
      body.lowering().AddComputation(reducer.Build("reducer", false))};
  reduce.dims = dims;
  reduce.operands = {
      x, body.Constant(op, join == Opcode::kMaximum ? -INFINITY : 0, scalar)};
  reduce.shape = ArrayShape(shape.dtype, WithoutDims(shape.dims, dims));
  return body.Add(op, std::move(reduce));
}

// x - max, then exp and its sum, over `dims`.
void LowerSoftmax(Body& body, const Operation& op, Index x, const Dims& dims,
                  bool log) {
  const HloShape shape = body.shape(x);
  const Dims kept = OtherDims(shape.dims.size(), dims);
  Arithmetic a(body, op, shape);
  const auto spread = [&](Index row) {
    return body.Broadcast(op, row, shape, kept);
  };
  const Index most = Reduce(body, op, Opcode::kMaximum, x, dims);
  const Index centred = a.Do(Opcode::kSubtract, x, spread(most));
  const Index exp = a.Do(Opcode::kExponential, centred);
  Index sum = Reduce(body, op, Opcode::kAdd, exp, dims);
  if (log) {
    sum = body.Make(op, Opcode::kLog, HloShape(body.shape(sum)), {sum});
    body.Alias(op, a.Do(Opcode::kSubtract, centred, spread(sum)));
  } else {
    body.Alias(op, a.Do(Opcode::kDivide, exp, spread(sum)));
  }
}

// Results: the normalised array, its means and inverse deviations.
absl::Status LowerLayerNorm(Body& body, const Operation& op, Index x,
                            const Dims& dims, double epsilon) {
  const HloShape shape = body.shape(x);
  const Dims kept = OtherDims(shape.dims.size(), dims);
  double count = 1;
  for (int64_t dim : dims) {
    count *= static_cast<double>(shape.dims[static_cast<size_t>(dim)]);
  }
  Arithmetic a(body, op, shape);
  const Index sum = Reduce(body, op, Opcode::kAdd, x, dims);
  Arithmetic row(body, op, HloShape(body.shape(sum)));
  const auto spread = [&](Index value) {
    return body.Broadcast(op, value, shape, kept);
  };
  const Index mean = row.Do(Opcode::kDivide, sum, row.Number(count));
  const Index centred = a.Do(Opcode::kSubtract, x, spread(mean));
  const Index squares = Reduce(body, op, Opcode::kAdd,
                               a.Do(Opcode::kMultiply, centred, centred), dims);
  const Index variance = row.Do(Opcode::kDivide, squares, row.Number(count));
  const Index scale = row.Do(
      Opcode::kRsqrt, row.Do(Opcode::kAdd, variance, row.Number(epsilon)));
  Index y = a.Do(Opcode::kMultiply, centred, spread(scale));
  for (size_t i = 1; i < op.operands.size() && i < 3; ++i) {
    TW_ASSIGN_OR_RETURN(const Index weight, body.Operand(op, i));
    if (body.shape(weight).dims.size() != dims.size()) {
      return body.lowering().Error(op, "expected weights of the axes' rank");
    }
    y = a.Do(i == 1 ? Opcode::kMultiply : Opcode::kAdd, y,
             body.Broadcast(op, weight, shape, dims));
  }
  body.Bind(op.first_result, y);
  for (int32_t i = 1; i < op.results; ++i) {
    const HloShape result = body.ResultShape(op, i);
    body.Bind(op.first_result + i,
              body.Reshape(op, i == 1 ? mean : scale, result.dims));
  }
  return absl::OkStatus();
}

void LowerGelu(Body& body, const Operation& op, Index x, bool tanh) {
  Arithmetic a(body, op, HloShape(body.shape(x)));
  const Index half = a.Do(Opcode::kMultiply, x, a.Number(0.5));
  Index inner = x;
  if (tanh) {  // sqrt(2 / pi) (x + 0.044715 x^3)
    const Index cube =
        a.Do(Opcode::kMultiply, x, a.Do(Opcode::kMultiply, x, x));
    inner = a.Do(Opcode::kAdd, x,
                 a.Do(Opcode::kMultiply, cube, a.Number(0.044715)));
    inner = a.Do(Opcode::kMultiply, inner, a.Number(0.7978845608028654));
  } else {
    inner = a.Do(Opcode::kMultiply, x, a.Number(0.7071067811865476));
  }
  const Index curve = a.Do(tanh ? Opcode::kTanh : Opcode::kErf, inner);
  body.Alias(op, a.Do(Opcode::kMultiply, half,
                      a.Do(Opcode::kAdd, curve, a.Number(1))));
}

// log probabilities [rows, classes] and a class for each row: the mean of what
// they pick, negated, and the number of rows.
absl::Status LowerLikelihood(Body& body, const Operation& op, Index x) {
  TW_ASSIGN_OR_RETURN(const Index target, body.Operand(op, 1));
  const HloShape shape = body.shape(x);
  if (shape.dims.size() != 2 || body.shape(target).dims.size() != 1) {
    return body.lowering().Error(op, "expected rows of classes");
  }
  HloShape integers = shape;
  integers.dtype = body.shape(target).dtype;
  Instruction iota;
  iota.opcode = Opcode::kIota;
  iota.index = 1;
  iota.shape = integers;
  Arithmetic i(body, op, integers);
  const Index picked = i.Compare(Comparison::kEq, body.Add(op, std::move(iota)),
                                 body.Broadcast(op, target, integers, {0}));
  Arithmetic a(body, op, shape);
  const Index chosen = a.Select(picked, x, a.Number(0));
  Arithmetic scalar(body, op, ArrayShape(shape.dtype, {}));
  const Index sum = Reduce(body, op, Opcode::kAdd, chosen, {0, 1});
  const Index rows = scalar.Number(static_cast<double>(shape.dims[0]));
  const Index loss =
      scalar.Do(Opcode::kNegate, scalar.Do(Opcode::kDivide, sum, rows));
  body.Bind(op.first_result, loss);
  if (op.results > 1) body.Bind(op.first_result + 1, rows);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> LowerByteIr(Body& body, const Operation& op,
                                 std::string_view target) {
  const std::string_view layer = NameOf(target);
  if (layer != "softmax" && layer != "log_softmax" && layer != "layer_norm" &&
      layer != "gelu" && layer != "nll_loss_forward") {
    return false;
  }
  TW_ASSIGN_OR_RETURN(const Index x, body.Operand(op, 0));
  const HloShape shape = body.shape(x);
  if (shape.kind != HloShape::Kind::kArray || op.results < 1) return false;
  Dims dims;
  if (const Attribute* axis = LayerAttribute(op, "axis")) {
    dims = Integers(*axis, body.file().types).value_or(Dims());
  }
  for (int64_t& dim : dims) {
    if (dim < 0) dim += static_cast<int64_t>(shape.dims.size());
  }
  TW_RETURN_IF_ERROR(CheckDims(body, op, dims, shape.dims.size()));
  if (layer == "gelu") {
    const Attribute* form = LayerAttribute(op, "approximate");
    LowerGelu(body, op, x, form != nullptr && form->text == "tanh");
  } else if (layer == "nll_loss_forward") {
    TW_RETURN_IF_ERROR(LowerLikelihood(body, op, x));
  } else if (dims.empty()) {
    return false;
  } else if (layer == "layer_norm") {
    const Attribute* epsilon = LayerAttribute(op, "epsilon");
    TW_RETURN_IF_ERROR(LowerLayerNorm(
        body, op, x, dims, epsilon == nullptr ? 1e-5 : epsilon->number));
  } else {
    LowerSoftmax(body, op, x, dims, layer == "log_softmax");
  }
  return true;
}

}  // namespace tilewise::mlir
