// Rebuilds a graph op by op.

#include "sim/lowering/rewrite.h"

#include <utility>

namespace tilewise {

Rewrite::Rewrite(const Graph& from)
    : outputs_(from.outputs()), builder_(from.name()), map_(from.size(), kNoOp) {
  builder_.ReserveNames(from.size() + from.size() / 4);
}

std::vector<OpId> Rewrite::Operands(const Op& old) const {
  std::vector<OpId> operands;
  operands.reserve(old.operands.size());
  for (const OpId operand : old.operands) operands.push_back(at(operand));
  return operands;
}

void Rewrite::Copy(const Op& old) { Replace(old, builder_.Clone(old, Operands(old))); }

void Rewrite::Move(Op&& old) {
  const OpId id = old.id;
  std::vector<OpId> operands = Operands(old);
  map_[id] = builder_.Clone(std::move(old), std::move(operands));
}

void Rewrite::EnterContextOf(const Op& old) {
  builder_.SetLocation(old.location);
  builder_.SetPhase(old.phase);
  builder_.SetLoop(old.loop);
  builder_.SetOrigin(old.origin);
  builder_.SetScope(old.name);
}

absl::StatusOr<Graph> Rewrite::Finish() {
  for (const Output& output : outputs_) {
    builder_.AddOutput(at(output.value), output.role,
                       output.variable == kNoOp ? kNoOp : at(output.variable));
  }
  return builder_.Build();
}

}  // namespace tilewise
