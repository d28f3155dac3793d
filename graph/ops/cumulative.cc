// Running sums, products, maxima and minima.

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr CumulativeShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<CumulativeAttrs>();
  TW_RETURN_IF_ERROR(CheckReducer(attrs.reducer, operands, 0));
  TW_RETURN_IF_ERROR(CheckOneDim(attrs.dims, *operands[0], "run along"));
  return *operands[0];
}

// Each element is in the sums that follow it.
Gradients CumulativeSumGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<CumulativeAttrs>();
  return {call.builder.Cumulative(Reducer::kSum, call.dy, attrs.dims[0], !attrs.reverse)};
}

// d/dx_j of the products that x_j is in: those products over x_j. No element
// may be zero.
Gradients CumulativeProductGradient(const GradientCall& call) {
  const auto& attrs = call.op.as<CumulativeAttrs>();
  GraphBuilder& b = call.builder;
  const OpId weighted = b.Binary(OpKind::kMultiply, call.dy, call.op.id);
  const OpId sums = b.Cumulative(Reducer::kSum, weighted, attrs.dims[0], !attrs.reverse);
  return {b.Binary(OpKind::kDivide, sums, call.operand(0))};
}

Gradients CumulativeGradient(const GradientCall& call) {
  return call.op.as<CumulativeAttrs>().reducer == Reducer::kSum ? CumulativeSumGradient(call)
                                                                : CumulativeProductGradient(call);
}

bool IsSumOrProduct(const Op& op) {
  const auto& attrs = op.as<CumulativeAttrs>();
  return attrs.reducer == Reducer::kSum || attrs.reducer == Reducer::kProduct;
}

constexpr auto kCumulativeFields =
    FieldsOf<CumulativeAttrs, &CumulativeAttrs::dims, &CumulativeAttrs::reverse,
             &CumulativeAttrs::reducer>("dims", "reverse", "reducer");

}  // namespace

// attrs.reducer along attrs.dims[0], from its end if attrs.reverse.
constexpr OpTraits op_traits::kCumulative = {.operands = 1,
                                             .attributes = kCumulativeFields,
                                             .shape = CumulativeShape,
                                             .gradient = CumulativeGradient,
                                             .has_gradient = IsSumOrProduct,
                                             .links = LinkFirst};

}  // namespace tilewise
