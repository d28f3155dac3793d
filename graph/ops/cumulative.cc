// Running sums, products, maxima and minima.

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr CumulativeShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReducer(op.attrs->reducer, operands, 0));
  TW_RETURN_IF_ERROR(CheckOneDim(op, *operands[0], "run along"));
  return *operands[0];
}

// Each element is in the sums that follow it.
Gradients CumulativeSumGradient(const GradientCall& call) {
  return {call.builder.Cumulative(Reducer::kSum, call.dy, call.op.attrs->dims[0],
                                  !call.op.attrs->reverse)};
}

// d/dx_j of the products that x_j is in: those products over x_j. No element
// may be zero.
Gradients CumulativeProductGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const OpId weighted = b.Binary(OpKind::kMultiply, call.dy, call.op.id);
  const OpId sums =
      b.Cumulative(Reducer::kSum, weighted, call.op.attrs->dims[0], !call.op.attrs->reverse);
  return {b.Binary(OpKind::kDivide, sums, call.operand(0))};
}

Gradients CumulativeGradient(const GradientCall& call) {
  return call.op.attrs->reducer == Reducer::kSum ? CumulativeSumGradient(call)
                                                 : CumulativeProductGradient(call);
}

bool IsSumOrProduct(const Op& op) {
  return op.attrs->reducer == Reducer::kSum || op.attrs->reducer == Reducer::kProduct;
}

}  // namespace

// attrs.reducer along attrs.dims[0], from its end if attrs.reverse.
constexpr OpTraits op_traits::kCumulative = {.operands = 1,
                                             .shape = CumulativeShape,
                                             .gradient = CumulativeGradient,
                                             .has_gradient = IsSumOrProduct,
                                             .links = LinkFirst};

}  // namespace tilewise
