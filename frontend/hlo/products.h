// Dots as the matrix unit takes them, whatever instruction states them.

#pragma once

#include "frontend/hlo/translation.h"

namespace tilewise::hlo {

// Returns in how many passes a dot or convolution multiplies its f32 operands.
int64_t PrecisionPasses(const InstructionExtras& more);

// `lhs` times `rhs` in type `result`: operands of different types are converted
// to the wider one first.
OpId EmitDot(GraphBuilder& e, OpId lhs, OpId rhs, DotDims dims, DType result,
             int64_t precision_passes);

// Converts both to the type that holds the values of either.
void UniteTypes(GraphBuilder& e, OpId& lhs, OpId& rhs);

// A convolution whose window dims only pair, sum or keep dims, as compilers
// write dots: the dot itself, its dims in the order of the convolution's.
// kNoOp when it is a real convolution.
OpId ConvolutionAsDot(Translation& t, const Site& site);

}  // namespace tilewise::hlo
