// The work of one op on the matrix and vector units, whatever kernel it is in.
// Loads and stores are counted by kernel, except where an op reads its operand
// several times.

#pragma once

#include "sim/lowering/program.h"

namespace tilewise {

struct OpWork {
  MatrixWork matrix;
  VectorWork vector;
};

// What work functions see of the program.
struct OpContext {
  const Program& program;
  const Chip& chip;
  const Layout& layout(OpId id) const { return program.layouts[id]; }
  const Op& operand(const Op& op, int i) const { return program.graph.operand(op, i); }
  double registers(const Op& op) const { return VectorRegisters(op.shape, layout(op.id), chip); }
  Bytes padded(const Op& op) const { return PaddedBytes(op.shape, layout(op.id), chip); }
};

// Returns the work that the kind has (LoweringTraits::work); of siblings only
// the first has work. `op` is no composite: those are gone by now.
OpWork LowerOp(const OpContext& context, const Op& op);

VectorWork operator+(VectorWork a, const VectorWork& b);
VectorWork operator*(double times, VectorWork work);

}  // namespace tilewise
