// The op that a kernel is named after, and what the kernel does with the values
// that it reads.

#pragma once

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {

struct RootOfKernel {
  const OpContext& context;
  const Op& op;
  int64_t cores = 1;  // of the target

  const Op& operand(int i) const { return context.operand(op, i); }
};

// A value of another loop, or of none, that a loop carries.
bool EntersLoop(const OpContext& context, const Op& value);

// Whether the kernel reads the value itself from memory.
bool ReadsInput(const Kernel& kernel, OpId value);

// Whether the root may write its result over its first operand: nothing else
// needs the old value, which a loop carries, or is a temporary or the variable
// that gets the result.
bool OverwritesOperand(const RootOfKernel& root, const Kernel& kernel);

}  // namespace tilewise
