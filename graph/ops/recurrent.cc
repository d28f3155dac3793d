// Recurrent layers. One device loop gives the gradient of the gates' inputs;
// that of the recurrent weights is then a single dot over all examples and
// steps, as XLA hoists it out of the loop.

#include <utility>

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

int64_t Gates(CellKind cell) {
  switch (cell) {
    case CellKind::kSimpleRnn:
      return 1;
    case CellKind::kLstm:
      return 4;
    case CellKind::kGru:
      return 3;
  }
  return 1;
}

ShapeOr RecurrentShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  const Shape& z = *operands[0];
  const Shape& u = *operands[1];
  const int64_t gates = Gates(op.as<RecurrentAttrs>().cell);
  if (z.rank() != 3 || z.dims[1].per_batch || z.dims[2].per_batch) {
    return WrongOperand(0, z, "[batch,time,gates x units]");
  }
  if (z.dims[2].factor % gates != 0) {
    return WrongOperand(0, z, fmt::format("a multiple of {} gates in dim 2", gates));
  }
  const int64_t units = z.dims[2].factor / gates;
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, Shape::Of(z.dtype, {units, gates * units})));
  return Shape(u.dtype, {z.dims[0], z.dims[1], {units, false}});
}

ShapeOr RecurrentGradShape(const Op& op, Shapes operands) {
  TW_ASSIGN_OR_RETURN(const Shape h, RecurrentShape(op, operands));
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, h));
  TW_RETURN_IF_ERROR(CheckSame(operands, 3, h));
  return *operands[0];
}

// h one step earlier in the direction of time, zero at the start.
OpId StateBefore(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const int64_t steps = call.op.shape.size(1);
  const bool reverse = call.op.as<RecurrentAttrs>().reverse_time;
  const OpId kept =
      reverse ? b.SliceDim(call.op.id, 1, 1, steps) : b.SliceDim(call.op.id, 1, 0, steps - 1);
  const std::vector<int64_t> pad = {0, 1, 0};
  const std::vector<int64_t> none = {0, 0, 0};
  return b.Pad(kept, 0, reverse ? none : pad, reverse ? pad : none, none);
}

// sum over examples and steps of state^T dz.
OpId SummedProducts(GraphBuilder& b, OpId state, OpId dz) {
  return b.Dot(state, dz, {.lhs_contract = {0, 1}, .rhs_contract = {0, 1}});
}

// The candidate of a gated recurrent unit sees the state times the reset gate,
// which is computed again: logistic(z_r + state R_r).
OpId ResetState(const GradientCall& call, OpId state) {
  GraphBuilder& b = call.builder;
  const int64_t units = call.op.shape.size(2);
  const OpId z = b.SliceDim(call.operand(0), 2, units, 2 * units);
  const OpId weights = b.SliceDim(call.operand(1), 1, units, 2 * units);
  const OpId sum = b.Binary(OpKind::kAdd, z, b.MatMul(state, weights));
  return b.Binary(OpKind::kMultiply, b.Unary(OpKind::kLogistic, sum), state);
}

OpId WeightGradient(const GradientCall& call, OpId dz) {
  GraphBuilder& b = call.builder;
  if (call.op.shape.size(1) == 1) return b.Constant(0, call.shape(1));
  const OpId state = StateBefore(call);
  if (call.op.as<RecurrentAttrs>().cell != CellKind::kGru) return SummedProducts(b, state, dz);
  const int64_t units = call.op.shape.size(2);
  const OpId gates = b.SliceDim(dz, 2, 0, 2 * units);
  const OpId candidate = b.SliceDim(dz, 2, 2 * units, 3 * units);
  return b.Concatenate(
      {SummedProducts(b, state, gates), SummedProducts(b, ResetState(call, state), candidate)}, 1);
}

Gradients RecurrentGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<RecurrentAttrs>();
  const OpId dz = call.builder.RecurrentGrad(attrs.cell, call.operand(0), call.operand(1),
                                             call.op.id, call.dy, attrs.reverse_time);
  return {dz, call.wants(1) ? WeightGradient(call, dz) : kNoOp};
}

void LinkExamples(const LinkCall& call) { LinkLeading(call, {0}, 1); }

void LinkExamplesOfGradient(const LinkCall& call) { LinkLeading(call, {0, 2, 3}, 1); }

constexpr auto kRecurrentFields =
    FieldsOf<RecurrentAttrs, &RecurrentAttrs::reverse_time, &RecurrentAttrs::cell>("reverse_time",
                                                                                   "cell");

}  // namespace

constexpr OpTraits op_traits::kRecurrent = {.operands = 2,
                                            .attributes = kRecurrentFields,
                                            .shape = RecurrentShape,
                                            .gradient = RecurrentGradient,
                                            .links = LinkExamples};
constexpr OpTraits op_traits::kRecurrentGrad = {.operands = 4,
                                                .attributes = kRecurrentFields,
                                                .shape = RecurrentGradShape,
                                                .links = LinkExamplesOfGradient};

}  // namespace tilewise
