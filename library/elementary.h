// Elementwise functions that the graph has no op for, written out as XLA's
// client does: hyperbolic functions and the inverse ones.

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
OpId IsNan(GraphBuilder& builder, OpId x);  // kPred
OpId IsInf(GraphBuilder& builder, OpId x);  // kPred
// x - floor(x / y) * y: has the sign of y, as Python's %. Same shapes.
OpId FloorModulo(GraphBuilder& builder, OpId x, OpId y);
// floor(x / y), as Python's //. Same shapes.
OpId FloorDivide(GraphBuilder& builder, OpId x, OpId y);

}  // namespace tilewise
