// Gradients of reductions: the result's gradient goes back to all elements of
// a sum, to the winners of an extremum (shared evenly between ties), and to a
// product's factors in proportion.

#include "graph/gradients/gradient.h"
#include "graph/moments.h"

namespace tilewise {
namespace {

OpId ToWinners(const GradientCall& call, const std::vector<int64_t>& kept) {
  GraphBuilder& b = call.builder;
  const OpId x = call.operand(0);
  const Shape shape = call.shape(0);
  const OpId best = b.Broadcast(call.op.id, shape.dims, kept);
  const OpId won = b.Convert(b.Compare(Comparison::kEq, x, best), shape.dtype);
  const OpId winners = b.Reduce(Reducer::kSum, won, call.op.attrs->dims);
  const OpId share = b.Binary(OpKind::kDivide, call.dy, winners);
  return b.Binary(OpKind::kMultiply, won, b.Broadcast(share, shape.dims, kept));
}

}  // namespace

Gradients ReduceGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Shape shape = call.shape(0);
  const std::vector<int64_t> kept =
      OtherDims(shape.rank(), call.op.attrs->dims);
  switch (call.op.attrs->reducer) {
    case Reducer::kSum:
      return {b.Broadcast(call.dy, shape.dims, kept)};
    case Reducer::kMax:
    case Reducer::kMin:
      return {ToWinners(call, kept)};
    default:  // product; the others have none
      break;
  }
  const OpId product = b.Binary(OpKind::kMultiply, call.dy, call.op.id);
  return {b.Binary(OpKind::kDivide, b.Broadcast(product, shape.dims, kept),
                   call.operand(0))};
}

}  // namespace tilewise
