// Windows and conversions of a matmul whose operands the array cannot take.

#pragma once

#include "sim/lowering/lower.h"
#include "sim/lowering/tile_selection/operand_traffic.h"

namespace tilewise {

// Returns true for operands whose conversion for the array shapes the windows:
// float16. Narrower types that the array has no path for are converted too, in
// the windows of other matmuls.
bool IsConverted(DType dtype);

// Sets the windows, the traffic and the conversions of a kernel whose root is
// such a dot: a grid for all its cores, each taking its own windows in turn.
// Every step converts both of its windows, also one that stayed since the step
// before (seen in tpu-v4-odd-gemm).
void TileMatmul(const Program& program, Kernel& kernel, const OperandInputs& inputs,
                const LoweringContext& context);

// Adds the conversions to a matrix kernel with another grid, whose windows take
// in every byte of its operands so many times.
void ConvertOperands(const Program& program, Kernel& kernel, double lhs_times, double rhs_times,
                     const Chip& chip);

}  // namespace tilewise
