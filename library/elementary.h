// Elementwise functions that the graph has no op for, written out as XLA's
// client and its CHLO dialect do: hyperbolic functions, inverse ones, those of
// complex numbers, divisions that round.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

OpId Square(GraphBuilder& builder, OpId x);
OpId Reciprocal(GraphBuilder& builder, OpId x);
OpId Sinh(GraphBuilder& builder, OpId x);
OpId Cosh(GraphBuilder& builder, OpId x);
OpId Asin(GraphBuilder& builder, OpId x);
OpId Acos(GraphBuilder& builder, OpId x);
OpId Atan(GraphBuilder& builder, OpId x);
OpId Asinh(GraphBuilder& builder, OpId x);
OpId Acosh(GraphBuilder& builder, OpId x);
OpId Atanh(GraphBuilder& builder, OpId x);
OpId Erfc(GraphBuilder& builder, OpId x);
OpId Erfinv(GraphBuilder& builder, OpId x);
// The inverse of the normal distribution's cumulative function.
OpId Ndtri(GraphBuilder& builder, OpId x);
OpId IsNan(GraphBuilder& builder, OpId x);     // kPred
OpId IsInf(GraphBuilder& builder, OpId x);     // kPred
OpId IsPosInf(GraphBuilder& builder, OpId x);  // kPred
OpId IsNegInf(GraphBuilder& builder, OpId x);  // kPred
// These are for complex numbers; a real one is its own real part and conjugate.
OpId RealPart(GraphBuilder& builder, OpId x);
OpId ImaginaryPart(GraphBuilder& builder, OpId x);
OpId Conjugate(GraphBuilder& builder, OpId x);
OpId ComplexAbs(GraphBuilder& builder, OpId x);
OpId Angle(GraphBuilder& builder, OpId x);
// x - floor(x / y) * y: has the sign of y, as Python's %. Operands broadcast.
OpId FloorModulo(GraphBuilder& builder, OpId x, OpId y);
// floor(x / y), as Python's //. Operands broadcast.
OpId FloorDivide(GraphBuilder& builder, OpId x, OpId y);
// The upper half of the product of 32-bit integers.
OpId UpperProduct(GraphBuilder& builder, OpId x, OpId y);

}  // namespace tilewise
