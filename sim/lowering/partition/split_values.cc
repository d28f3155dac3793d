// Makes the forms of values: collectives where cores lack something, slices
// where they have too much, copies of open ops.

#include "sim/lowering/partition/split_values.h"

#include <algorithm>

namespace tilewise {

SplitValues::SplitValues(const Graph& from, std::string axis, int64_t parts)
    : from_(from),
      axis_(std::move(axis)),
      parts_(parts),
      builder_(from.name()),
      values_(from.size()) {
  builder_.ReserveNames(from.size() + from.size() / 4);
}

const SplitValues::Value& SplitValues::at(OpId old) const {
  const Value& value = values_[old];
  const bool in_update = current_ != nullptr && current_->phase == Phase::kUpdate;
  if (in_update && value.for_update >= 0) {
    return updates_[value.for_update];
  }
  return value;
}

int64_t SplitValues::SplitOf(OpId old) const {
  const Value& value = at(old);
  if (!value.is_open) return value.split;
  const Op& op = from_.op(old);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const int64_t split = SplitOf(op.operands[i]);
    if (split < 0) continue;
    if (const auto dim = ResultDim(from_, op, i, split, parts_)) return *dim;
  }
  return kWhole;
}

int64_t SplitValues::SplitOfSum(OpId old) const {
  const Value& value = at(old);
  if (!value.parts.empty()) return value.parts.front().first;
  return value.whole[0] == kNoOp ? kPending : kWhole;
}

bool SplitValues::Has(OpId old, int64_t split) const {
  const Value& value = at(old);
  if (split == kPending) return value.pending != kNoOp;
  if (split == kWhole) return value.whole[Pass()] != kNoOp;
  return std::any_of(value.parts.begin(), value.parts.end(),
                     [&](const auto& part) { return part.first == split; });
}

OpId SplitValues::Made(OpId old) const {
  const Value& value = at(old);
  if (value.pending != kNoOp) return value.pending;
  if (value.split >= 0 && !value.parts.empty()) {
    return value.parts.front().second;
  }
  return value.whole[0] != kNoOp ? value.whole[0] : value.whole[1];
}

void SplitValues::Close(OpId old, int64_t split) {
  Value& value = at(old);
  if (value.is_constant) return;
  value.is_open = false;
  value.split = split;
}

void SplitValues::SetWhole(OpId old, OpId made) {
  at(old).split = kWhole;
  at(old).whole = {made, made};
}

void SplitValues::SetPart(OpId old, int64_t dim, OpId made) {
  at(old).split = dim;
  at(old).parts.emplace_back(dim, made);
}

void SplitValues::SetPending(OpId old, OpId made) {
  at(old).split = kPending;
  at(old).pending = made;
}

void SplitValues::Set(OpId old, int64_t split, OpId made) {
  if (split == kWhole) return SetWhole(old, made);
  if (split == kPending) return SetPending(old, made);
  SetPart(old, split, made);
}

OpId SplitValues::In(OpId old, int64_t split) {
  if (split == kWhole) return Whole(old);
  return split == kPending ? Pending(old) : Part(old, split);
}

bool SplitValues::IsConstant(const Op& op) const {
  if (op.operands.empty()) {
    return op.kind == OpKind::kConstant || op.kind == OpKind::kIota ||
           op.kind == OpKind::kPartitionId;
  }
  return std::all_of(op.operands.begin(), op.operands.end(),
                     [&](OpId operand) { return at(operand).is_constant; });
}

void SplitValues::Open(const Op& op) {
  at(op.id).is_open = true;
  at(op.id).is_constant = IsConstant(op);
}

bool SplitValues::IsFreeWeight(OpId old) const {
  if (!at(old).is_open) return false;
  const Op& op = from_.op(old);
  if (op.kind == OpKind::kVariable) return true;
  return op.operands.size() == 1 && IsFreeWeight(op.operands[0]);
}

bool SplitValues::CanStorePart(OpId old, int64_t dim) const {
  const Op& op = from_.op(old);
  if (op.kind == OpKind::kVariable) return op.shape.size(dim) % parts_ == 0;
  const auto from = OperandDim(from_, op, 0, dim, parts_);
  return from && *from >= 0 && CanStorePart(op.operands[0], *from);
}

void SplitValues::SetForUpdate(OpId old, int64_t split, OpId made) {
  Value value;
  value.split = split;
  if (split == kWhole) {
    value.whole = {made, made};
  } else {
    value.parts.emplace_back(split, made);
  }
  values_[old].for_update = static_cast<int32_t>(updates_.size());
  updates_.push_back(std::move(value));
}

OpId SplitValues::Whole(OpId old) {
  if (const OpId made = at(old).whole[Pass()]; made != kNoOp) return made;
  if (at(old).is_open) return OpenWhole(from_.op(old));
  const OpId made = MakeWhole(old);
  Value& value = at(old);
  if (value.is_weight && value.split >= 0) {
    value.whole[Pass()] = made;
  } else {
    value.whole = {made, made};
  }
  return made;
}

OpId SplitValues::MakeWhole(OpId old) {
  const Value& value = at(old);
  const Op& op = from_.op(old);
  if (value.pending != kNoOp) {
    EnterContextOf(op, op.phase);
    return builder_.AllReduce(value.pending, parts_, axis_);
  }
  TW_CHECK(!value.parts.empty());
  EnterContextOf(op, current_->phase);
  const auto [dim, part] = value.parts.front();
  return builder_.AllGather(part, dim, parts_, axis_);
}

OpId SplitValues::Part(OpId old, int64_t dim) {
  for (const auto& [its_dim, made] : at(old).parts) {
    if (its_dim == dim) return made;
  }
  if (at(old).is_open) return OpenPart(from_.op(old), dim);
  const OpId made = MakePart(old, dim);
  at(old).parts.emplace_back(dim, made);
  return made;
}

bool SplitValues::IsRepeatedAlong(const Op& op, int64_t dim) const {
  if (op.kind != OpKind::kBroadcast && op.kind != OpKind::kReshape) {
    return false;
  }
  const auto from = OperandDim(from_, op, 0, dim, parts_);
  if (!from) return false;
  if (op.kind == OpKind::kBroadcast) return *from == kWhole;
  return IsRepeatedAlong(from_.operand(op, 0), *from);
}

OpId SplitValues::MakePart(OpId old, int64_t dim) {
  const Value& value = at(old);
  const Op& op = from_.op(old);
  if (value.split == kWhole && IsRepeatedAlong(op, dim)) {
    const int64_t from = *OperandDim(from_, op, 0, dim, parts_);
    return CloneLocal(op, {In(op.operands[0], from)}, dim);
  }
  if (const OpId whole = value.whole[Pass()]; whole != kNoOp) {
    EnterContextOf(op, current_->phase);
    return SliceOwn(whole, dim);
  }
  if (value.pending != kNoOp) {
    EnterContextOf(op, op.phase);
    return builder_.ReduceScatter(value.pending, dim, parts_, axis_);
  }
  TW_CHECK(!value.parts.empty());
  EnterContextOf(op, current_->phase);
  const auto [from_dim, part] = value.parts.front();
  return builder_.AllToAll(part, dim, from_dim, parts_, axis_);
}

OpId SplitValues::OpenWhole(const Op& op) {
  Close(op.id, kWhole);
  std::vector<OpId> operands;
  for (const OpId operand : op.operands) operands.push_back(Whole(operand));
  const OpId made = CloneLocal(op, std::move(operands), kWhole);
  at(op.id).whole = {made, made};
  return made;
}

OpId SplitValues::OpenPart(const Op& op, int64_t dim) {
  std::vector<int64_t> wanted;
  bool is_local = op.shape.size(dim) % parts_ == 0 && op.kind != OpKind::kPartitionId &&
                  (op.kind != OpKind::kIota || op.as<DimsAttrs>().dims[0] != dim);
  for (size_t i = 0; i < op.operands.size() && is_local; ++i) {
    const auto from = OperandDim(from_, op, i, dim, parts_);
    is_local = from.has_value();
    wanted.push_back(from.value_or(kWhole));
  }
  if (!is_local) {
    const OpId whole = OpenWhole(op);
    EnterContextOf(op, current_->phase);
    const OpId made = SliceOwn(whole, dim);
    at(op.id).parts.emplace_back(dim, made);
    return made;
  }
  Close(op.id, dim);
  std::vector<OpId> operands;
  for (size_t i = 0; i < wanted.size(); ++i) {
    operands.push_back(In(op.operands[i], wanted[i]));
  }
  const OpId made = CloneLocal(op, std::move(operands), dim);
  at(op.id).parts.emplace_back(dim, made);
  return made;
}

OpId SplitValues::CloneLocal(const Op& op, std::vector<OpId> operands, int64_t split) {
  if (split < 0) return builder_.Clone(op, std::move(operands));
  Op local = op;
  local.shape.dims[split].factor /= parts_;
  if (op.kind == OpKind::kSlice) {
    local.edit<SliceAttrs>().limits[split] = local.shape.dims[split].factor;
  }
  if (op.kind == OpKind::kGatherSlices) {
    // A dim of a slice is in parts only where all of it is taken.
    const Shape& operand = builder_.shape(operands[0]);
    for (int64_t dim = 0; dim < operand.rank(); ++dim) {
      int64_t& size = local.edit<SlicesAttrs>().slice_sizes[dim];
      size = std::min(size, operand.size(dim));
    }
  }
  return builder_.Clone(local, std::move(operands), true);
}

void SplitValues::EnterContextOf(const Op& old, Phase phase) {
  builder_.SetLocation(old.location);
  builder_.SetPhase(phase);
  builder_.SetLoop(old.loop);
  builder_.SetOrigin(old.origin);
  builder_.SetScope(old.name);
}

OpId SplitValues::PartitionId() { return builder_.PartitionId(parts_, axis_); }

OpId SplitValues::SliceOwn(OpId made, int64_t dim) {
  const int64_t size = builder_.shape(made).size(dim) / parts_;
  const OpId start =
      builder_.BinaryScalar(OpKind::kMultiply, PartitionId(), static_cast<double>(size));
  return builder_.DynamicSlice(made, {start}, {dim}, {size});
}

absl::StatusOr<Graph> SplitValues::Finish() { return builder_.Build(); }

}  // namespace tilewise
