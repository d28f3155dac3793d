// Shape rules of leaves and elementwise ops.

#include <fmt/format.h>

#include "graph/shape_rules.h"

namespace tilewise {
namespace {

// Of the parts of a complex number; other types are their own part.
DType PartType(DType dtype) {
  if (dtype == DType::kC64) return DType::kF32;
  return dtype == DType::kC128 ? DType::kF64 : dtype;
}

}  // namespace

ShapeOr GivenShape(const Op& op, Shapes) { return op.shape; }

ShapeOr VariableShape(const Op& op, Shapes) {
  if (op.shape.is_static()) return op.shape;
  return InvalidInput(
      fmt::format("found {}, expected sizes that do not depend on the batch",
                  FormatShape(op.shape)));
}

ShapeOr GivenFloatShape(const Op& op, Shapes) {
  if (IsFloat(op.shape.dtype)) return op.shape;
  return InvalidInput(fmt::format("found {}, expected a floating-point type",
                                  FormatShape(op.shape)));
}

ShapeOr GivenBitsShape(const Op& op, Shapes) {
  if (IsInteger(op.shape.dtype)) return op.shape;
  return InvalidInput(
      fmt::format("found {}, expected an integer type", FormatShape(op.shape)));
}

ShapeOr IotaShape(const Op& op, Shapes) {
  if (op.attrs->dims.size() != 1) {
    return InvalidInput("expected one dim to count along");
  }
  TW_RETURN_IF_ERROR(CheckDims(op.attrs->dims, op.shape.rank(), "dims"));
  return op.shape;
}

ShapeOr SameShape(const Op&, Shapes operands) {
  for (size_t i = 1; i < operands.size(); ++i) {
    TW_RETURN_IF_ERROR(CheckSame(operands, i, *operands[0]));
  }
  return *operands[0];
}

ShapeOr SameFloatShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckFloat(operands, 0));
  return SameShape(op, operands);
}

ShapeOr SameRealShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  return SameShape(op, operands);
}

ShapeOr SameBitsShape(const Op& op, Shapes operands) {
  const DType dtype = operands[0]->dtype;
  if (dtype != DType::kPred && !IsInteger(dtype)) {
    return WrongOperand(0, *operands[0], "pred or an integer type");
  }
  return SameShape(op, operands);
}

ShapeOr SameIntegerShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckInteger(operands, 0));
  return SameShape(op, operands);
}

ShapeOr MagnitudeShape(const Op&, Shapes operands) {
  return operands[0]->WithType(PartType(operands[0]->dtype));
}

ShapeOr PartShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckFloat(operands, 0));
  return operands[0]->WithType(PartType(operands[0]->dtype));
}

ShapeOr ComplexShape(const Op& op, Shapes operands) {
  const DType part = operands[0]->dtype;
  if (part != DType::kF32 && part != DType::kF64) {
    return WrongOperand(0, *operands[0], "f32 or f64");
  }
  TW_RETURN_IF_ERROR(SameShape(op, operands).status());
  return operands[0]->WithType(part == DType::kF32 ? DType::kC64
                                                   : DType::kC128);
}

ShapeOr IsFiniteShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  return operands[0]->WithType(DType::kPred);
}

ShapeOr ConvertShape(const Op& op, Shapes operands) {
  return operands[0]->WithType(op.shape.dtype);
}

ShapeOr CompareShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(SameShape(op, operands).status());
  return operands[0]->WithType(DType::kPred);
}

ShapeOr SelectShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(
      CheckSame(operands, 0, operands[1]->WithType(DType::kPred)));
  TW_RETURN_IF_ERROR(CheckSame(operands, 2, *operands[1]));
  return *operands[1];
}

}  // namespace tilewise
