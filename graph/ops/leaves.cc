// Leaves: what has no operands and is not random.

#include <fmt/format.h>

#include "graph/ops/dims.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr VariableShape(const Op& op, Shapes) {
  if (op.shape.is_static()) return op.shape;
  return InvalidInput(fmt::format("found {}, expected sizes that do not depend on the batch",
                                  FormatShape(op.shape)));
}

ShapeOr IotaShape(const Op& op, Shapes) {
  TW_RETURN_IF_ERROR(CheckOneDim(op.as<DimsAttrs>().dims, op.shape, "count along"));
  return op.shape;
}

constexpr auto kParameterFields =
    FieldsOf<ParameterAttrs, &ParameterAttrs::minor_to_major>("layout");

constexpr auto kVariableFields =
    FieldsOf<VariableAttrs, &VariableAttrs::trainable, &VariableAttrs::of_stage>("trainable",
                                                                                 "of_stage");

constexpr auto kConstantFields = FieldsOf<ConstantAttrs, &ConstantAttrs::value>("value");

}  // namespace

constexpr OpTraits op_traits::kParameter = {.attributes = kParameterFields, .shape = GivenShape};
constexpr OpTraits op_traits::kVariable = {.attributes = kVariableFields, .shape = VariableShape};
constexpr OpTraits op_traits::kConstant = {.attributes = kConstantFields, .shape = GivenShape};
constexpr OpTraits op_traits::kIota = {.attributes = kDimsFields, .shape = IotaShape};

}  // namespace tilewise
