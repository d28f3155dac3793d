// Random numbers.

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr GivenFloatShape(const Op& op, Shapes) {
  if (IsFloat(op.shape.dtype)) return op.shape;
  return InvalidInput(
      fmt::format("found {}, expected a floating-point type", FormatShape(op.shape)));
}

ShapeOr GivenBitsShape(const Op& op, Shapes) {
  if (IsInteger(op.shape.dtype)) return op.shape;
  return InvalidInput(fmt::format("found {}, expected an integer type", FormatShape(op.shape)));
}

ShapeOr RngCategoricalShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  if (operands[0]->rank() < 1) {
    return WrongOperand(0, *operands[0], "rank 1 or more");
  }
  Shape shape = operands[0]->WithType(DType::kS32);
  shape.dims.pop_back();
  return shape;
}

void LinkLogits(const LinkCall& call) { LinkLeading(call, {0}, call.rank()); }

constexpr auto kRandomFields = FieldsOf<RandomAttrs, &RandomAttrs::label>("label");

}  // namespace

constexpr OpTraits op_traits::kRngBits = {
    .operands = 0, .attributes = kRandomFields, .shape = GivenBitsShape};
constexpr OpTraits op_traits::kRngUniform = {
    .operands = 0, .attributes = kRandomFields, .shape = GivenFloatShape};
constexpr OpTraits op_traits::kRngNormal = {
    .operands = 0, .attributes = kRandomFields, .shape = GivenFloatShape};
constexpr OpTraits op_traits::kRngCategorical = {.operands = 1,
                                                 .attributes = kRandomFields,
                                                 .shape = RngCategoricalShape,
                                                 .gradient = NoGradient,
                                                 .links = LinkLogits};

}  // namespace tilewise
