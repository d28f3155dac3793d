// What the windows of a matrix kernel read of its inputs.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

inline Bytes Scaled(Bytes bytes, double times) {
  return {static_cast<int64_t>(static_cast<double>(bytes.value) * times)};
}

// The kernel's inputs that its matmul takes as one operand, its prologue's.
// One that both take counts as one of lhs.
struct OperandInputs {
  std::vector<OpId> lhs, rhs;
};

enum class Operand : uint8_t { kLhs, kRhs, kNone };

// `kernel` has a matmul as its root.
OperandInputs InputsOfOperands(const Program& program, const Kernel& kernel);
Operand OperandOf(const OperandInputs& inputs, OpId id);

// Returns the bytes of a value as it lies in memory.
Bytes ValueBytes(const Program& program, OpId id, const Chip& chip);

// What the kernel reads without what SetTraffic has added.
Bytes ReadOnce(const Program& program, const Kernel& kernel, const Chip& chip);

struct OperandReads {
  double times = 1;  // each byte, by all steps together
  double first = 1;  // share of the operand in the first windows
};

struct GridReads {
  OperandReads lhs, rhs;
};

// Sets the traffic of each input and the first read of a kernel with `steps`
// windows, and what it reads with what it reads again. What is no operand is
// read once, in equal parts.
void SetTraffic(const Program& program, const OperandInputs& inputs, const GridReads& reads,
                int64_t steps, const Chip& chip, Kernel& kernel);

}  // namespace tilewise
