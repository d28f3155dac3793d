// See source_ops.h.

#include "rules/operators/source_ops.h"

#include <algorithm>

#include <fmt/format.h>

namespace tilewise {
namespace {

// Op ids are those of the graph that was read, so they are bounded by it.
OpId EndOf(const Facts& facts, const SourceOp& op) {
  return std::min(op.end, OpId(facts.source->size()));
}

}  // namespace

Seconds TimeOfSource(const Facts& facts, const SourceOp& op) {
  Seconds total;
  if (facts.source == nullptr) return total;
  for (OpId id = op.first; id < EndOf(facts, op); ++id) {
    total += facts.TimeOf(id);
  }
  return total;
}

OpId ResultOfSource(const Facts& facts, const SourceOp& op) {
  if (facts.source == nullptr) return kNoOp;
  const OpId end = EndOf(facts, op);
  return op.first < end ? end - 1 : kNoOp;
}

std::string NameOfSource(const SourceOp& op) {
  if (op.location.item.empty() || op.location.item == op.kind) return op.kind;
  return fmt::format("{} ({})", op.kind, op.location.item);
}

std::vector<bool> ComputedFrom(const Facts& facts, OpTrait trait) {
  std::vector<bool> from(facts.source->size(), false);
  for (const SourceOp& op : facts.workload.module.ops) {
    if (op.trait != trait) continue;
    for (OpId id = op.first; id < EndOf(facts, op); ++id) {
      from[id] = true;
    }
  }
  for (const Op& op : facts.source->ops()) {
    const bool reached =
        std::ranges::any_of(op.operands, [&from](OpId operand) { return from[operand]; });
    if (reached) from[op.id] = true;
  }
  return from;
}

}  // namespace tilewise
