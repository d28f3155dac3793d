// Operands are found by following the graph from the matmul to the kernel's
// inputs.

#include "sim/lowering/tile_selection/operand_traffic.h"

#include <algorithm>

namespace tilewise {
namespace {

bool Has(const std::vector<OpId>& ids, OpId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool HasSorted(const std::vector<OpId>& ids, OpId id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

// Follows an operand of the matmul to the values that are read for it; marks
// all that it meets.
std::vector<OpId> InputsOf(const Program& program, const Kernel& kernel, OpId id,
                           std::vector<OpId>& seen) {
  std::vector<OpId> inputs;
  std::vector<OpId> pending = {id};
  while (!pending.empty()) {
    const OpId next = pending.back();
    pending.pop_back();
    if (Has(seen, next)) continue;
    seen.push_back(next);
    if (HasSorted(kernel.inputs, next)) {
      inputs.push_back(next);
    } else if (HasSorted(kernel.ops, next)) {
      for (const OpId operand : program.graph.op(next).operands) {
        pending.push_back(operand);
      }
    }
  }
  return inputs;
}

}  // namespace

OperandInputs InputsOfOperands(const Program& program, const Kernel& kernel) {
  const Op& root = program.graph.op(kernel.root);
  std::vector<OpId> seen;
  OperandInputs inputs;
  inputs.lhs = InputsOf(program, kernel, root.operands[0], seen);
  inputs.rhs = InputsOf(program, kernel, root.operands[1], seen);
  return inputs;
}

Operand OperandOf(const OperandInputs& inputs, OpId id) {
  if (Has(inputs.lhs, id)) return Operand::kLhs;
  return Has(inputs.rhs, id) ? Operand::kRhs : Operand::kNone;
}

Bytes ValueBytes(const Program& program, OpId id, const Chip& chip) {
  return PaddedBytes(program.graph.op(id).shape, program.layouts[id], chip);
}

Bytes ReadOnce(const Program& program, const Kernel& kernel, const Chip& chip) {
  Bytes read = kernel.hbm_read;
  for (size_t i = 0; i < kernel.traffic.size(); ++i) {
    read -= Scaled(ValueBytes(program, kernel.inputs[i], chip), kernel.traffic[i].times - 1);
  }
  return read;
}

void SetTraffic(const Program& program, const OperandInputs& inputs, const GridReads& reads,
                int64_t steps, const Chip& chip, Kernel& kernel) {
  kernel.hbm_read = ReadOnce(program, kernel, chip);
  kernel.traffic.clear();
  kernel.windows.first_read = {};
  for (const OpId id : kernel.inputs) {
    const Bytes whole = ValueBytes(program, id, chip);
    OperandReads mine = {1, 1 / static_cast<double>(steps)};
    const Operand operand = OperandOf(inputs, id);
    if (operand == Operand::kLhs) mine = reads.lhs;
    if (operand == Operand::kRhs) mine = reads.rhs;
    mine.first = std::min(mine.first, mine.times);
    kernel.traffic.push_back({mine.times, Scaled(whole, mine.first)});
    kernel.hbm_read += Scaled(whole, mine.times - 1);
    kernel.windows.first_read += kernel.traffic.back().first_window;
  }
  kernel.windows.first_read = std::min(kernel.windows.first_read, kernel.hbm_read);
}

}  // namespace tilewise
