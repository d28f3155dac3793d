// Adds up the work of instructions, through calls, each computation once.

#include "frontend/hlo/branch_work.h"

#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

constexpr int kMaxBranchDepth = 100;

double SizeOf(const Computation& computation, int32_t instruction, int64_t dim) {
  const std::vector<int64_t>& dims = computation.instructions[instruction].shape.dims;
  const size_t place = dim;
  return place < dims.size() ? static_cast<double>(dims[place]) : 1.0;
}

// Elements summed for each element of the result.
double Summed(const Computation& computation, const Instruction& i) {
  if (i.operands.size() < 2) return 1;
  double depth = 1;
  if (i.opcode == Opcode::kDot) {
    for (const int64_t dim : i.dot->lhs_contract) {
      depth *= SizeOf(computation, i.operands[0], dim);
    }
  } else if (i.opcode == Opcode::kConvolution) {
    for (const HloWindowDim& w : i.more().window) {
      depth *= static_cast<double>(w.size);
    }
    depth *= SizeOf(computation, i.operands[1], i.more().conv->kernel_in);
  }
  return depth;
}

double OwnWork(const Computation& computation, const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return 0;
    default:
      return static_cast<double>(CountElements(i.shape)) * Summed(computation, i);
  }
}

}  // namespace

double BranchWork::Count(const Computation& computation, int depth) {
  if (depth > kMaxBranchDepth) return 0;
  const auto [at, is_new] = known_.try_emplace(&computation, 0.0);
  if (!is_new) return at->second;
  double work = 0;
  for (const Instruction& i : computation.instructions) {
    work += OwnWork(computation, i) + Called(i, depth);
  }
  known_[&computation] = work;
  return work;
}

double BranchWork::Called(const Instruction& instruction, int depth) {
  double work = 0;
  for (const int32_t callee : instruction.called) {
    work += Count(module_.computations[callee], depth + 1);
  }
  const double trips = static_cast<double>(instruction.more().trip_count.value_or(1));
  return instruction.opcode == Opcode::kWhile ? work * trips : work;
}

}  // namespace tilewise::hlo
