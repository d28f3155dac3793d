// Attempts are cheap: one builder without outputs, whose ops are copied over.

#include "library/attempt.h"

#include <utility>

#include "base/check.h"

namespace tilewise {

Attempt::Attempt(GraphBuilder& target, const AttemptPlace& place)
    : target_(target), trial_(""), place_(place) {
  trial_.SetLocation(place.location);
  trial_.SetScope(place.scope);
  trial_.SetLoop(place.loop);
  trial_.SetPhase(place.phase);
}

OpId Attempt::StandIn(OpId id) {
  if (id == kNoOp || !trial_.ok()) return kNoOp;
  if (const auto at = stand_ins_.find(id); at != stand_ins_.end()) {
    return at->second;
  }
  const Op& op = target_.op(id);
  Op leaf;
  leaf.kind =
      op.operands.empty() && ClassOf(op.kind) == OpClass::kLeaf ? op.kind : OpKind::kParameter;
  leaf.shape = op.shape;
  if (leaf.kind == op.kind) leaf.attrs = op.attrs;
  const OpId made = trial_.Clone(std::move(leaf), {});
  TW_CHECK(made != kNoOp);
  in_target_.resize(static_cast<size_t>(trial_.size()), kNoOp);
  in_target_[static_cast<size_t>(made)] = id;
  stand_ins_.emplace(id, made);
  return made;
}

absl::StatusOr<std::vector<OpId>> Attempt::Commit(std::span<const OpId> results) {
  if (!trial_.ok()) return trial_.status();
  if (!target_.ok()) return target_.status();
  in_target_.resize(static_cast<size_t>(trial_.size()), kNoOp);
  for (OpId id = 0; id < trial_.size(); ++id) {
    OpId& there = in_target_[static_cast<size_t>(id)];
    if (there != kNoOp) continue;
    Op op = trial_.op(id);
    std::vector<OpId> operands;
    operands.reserve(op.operands.size());
    for (const OpId operand : op.operands) {
      operands.push_back(in_target_[static_cast<size_t>(operand)]);
    }
    op.origin = target_.size();
    there = target_.Clone(std::move(op), std::move(operands));
  }
  std::vector<OpId> ids;
  ids.reserve(results.size());
  for (const OpId result : results) {
    ids.push_back(result == kNoOp ? kNoOp : in_target_[static_cast<size_t>(result)]);
  }
  return ids;
}

}  // namespace tilewise
