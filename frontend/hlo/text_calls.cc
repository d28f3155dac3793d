// Which computations the instructions of HLO text call, once all are read, and
// which one is the entry.

#include <fmt/format.h>

#include "frontend/hlo/text_computation.h"

namespace tilewise::hlo {

bool ComputationReader::Resolve(const Reference& reference) {
  Computation& from = module_.computations[reference.computation];
  Instruction& instruction = from.instructions[reference.instruction];
  if (reference.called.computation < 0) {
    const auto known = computations_.find(reference.called.name);
    if (known == computations_.end()) {
      return cursor_.FailAt(reference.called.at,
                            fmt::format("found computation {}, expected the name of one that the "
                                        "module has",
                                        reference.called.name));
    }
    instruction.called[reference.called.slot] = known->second;
  }
  return true;
}

bool ComputationReader::Finish() {
  if (!cursor_.ok()) return false;
  for (const Reference& reference : references_) {
    if (!Resolve(reference)) return false;
  }
  for (const Reference& reference : references_) {
    const Instruction& instruction =
        module_.computations[reference.computation].instructions[reference.instruction];
    for (const int32_t callee : instruction.called) {
      if (callee >= 0) continue;
      return cursor_.FailAt(reference.called.at,
                            fmt::format("found {} with some of its computations, expected all",
                                        OpcodeName(instruction.opcode)));
    }
  }
  if (!has_entry_) ChooseEntry();
  return true;
}

void ComputationReader::ChooseEntry() {
  std::vector<bool> called(module_.computations.size());
  for (const Reference& reference : references_) {
    const Instruction& instruction =
        module_.computations[reference.computation].instructions[reference.instruction];
    for (const int32_t callee : instruction.called) {
      called[callee] = true;
    }
  }
  module_.entry = static_cast<int32_t>(module_.computations.size()) - 1;
  for (size_t at = 0; at < called.size(); ++at) {
    if (!called[at]) module_.entry = static_cast<int32_t>(at);
  }
}

}  // namespace tilewise::hlo
