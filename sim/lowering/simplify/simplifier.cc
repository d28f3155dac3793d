// Sweeps, merging of equal ops and removal of dead ones.

#include "sim/lowering/simplify/simplifier.h"

#include <algorithm>
#include <utility>

#include "graph/graph_builder.h"
#include "graph/op_traits.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

// Ops that must stay apart though they look alike.
bool IsUnique(const Op& op) {
  return IsArgument(op) || op.kind == OpKind::kOpaque || ClassOf(op.kind) == OpClass::kRandom;
}

// The optimizer update works on gradients that partition sums over the cores,
// the backward pass on those of one core: equal ops of the two differ.
bool OnOneSide(const Op& a, const Op& b) {
  return a.operands.empty() || (a.phase == Phase::kUpdate) == (b.phase == Phase::kUpdate);
}

// An op of a loop runs in every iteration; leaves take no time. The loop of the
// gradients reads what an iteration of the forward loop made of its own values,
// which is kept for it; weights are cast again there, and tiles of a loss made.
bool InOneLoop(const OpList& ops, const Op& a, const Op& b) {
  if (a.operands.empty() || a.loop == b.loop) return true;
  const bool keeps = a.loop.id > 0 && b.loop.id == -a.loop.id && a.phase == Phase::kForward;
  return keeps && std::none_of(a.operands.begin(), a.operands.end(),
                               [&](OpId id) { return ops[id].kind == OpKind::kVariable; });
}

bool Equal(const OpList& ops, const Op& a, const Op& b) {
  return a.kind == b.kind && a.operands == b.operands && a.shape == b.shape && OnOneSide(a, b) &&
         InOneLoop(ops, a, b) && a.attrs == b.attrs;
}

// Hashes what tells most ops apart; equality decides.
size_t Hash(const Op& op) {
  size_t hash = static_cast<size_t>(op.kind);
  const auto mix = [&](size_t value) {
    hash = (hash ^ value) * size_t{0x9e3779b97f4a7c15};
    hash ^= hash >> 29;
  };
  for (const OpId operand : op.operands) mix(operand);
  mix(static_cast<size_t>(op.shape.dtype));
  for (const Dim& dim : op.shape.dims) mix(dim.factor);
  mix(HashAttributes(op));
  return hash;
}

// An op in the place of `context`.
Op InPlaceOf(const Op& context, OpKind kind, std::vector<OpId> operands, Shape shape,
             Attributes attrs) {
  Op made;
  made.kind = kind;
  made.operands = std::move(operands);
  made.shape = std::move(shape);
  made.attrs = std::move(attrs);
  made.name = context.name;
  made.location = context.location;
  made.phase = context.phase;
  made.loop = context.loop;
  made.origin = context.origin;
  return made;
}

OpId TryRules(Simplifier& s, const Op& op) {
  const bool elementwise = ClassOf(op.kind) == OpClass::kElementwise;
  OpId value = FoldConstants(s, op);
  const auto rule = LoweringTraitsOf(op.kind).simplify;
  if (value == kNoOp && rule != nullptr) value = rule(s, op);
  if (value == kNoOp && elementwise) value = MoveBelow(s, op);
  return value;
}

}  // namespace

std::optional<double> Simplifier::Splat(OpId id) const {
  const Op& value = op(id);
  if (value.kind != OpKind::kConstant) return std::nullopt;
  return value.as<ConstantAttrs>().value;
}

const Op* Simplifier::OnlyUser(OpId old) const {
  const Use& use = uses_[old];
  return use.count == 1 && use.user != kNoOp ? &before_[use.user] : nullptr;
}

bool Simplifier::WasConstant(OpId old) const { return before_[old].kind == OpKind::kConstant; }
bool Simplifier::WasBroadcast(OpId old) const { return before_[old].kind == OpKind::kBroadcast; }

std::optional<OpId> Simplifier::FindEqual(const Op& op, size_t hash) const {
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (Equal(ops_, ops_[it->second], op)) return it->second;
  }
  return std::nullopt;
}

OpId Simplifier::Emit(Op op) {
  if (!IsUnique(op)) {
    const OpId value = TryRules(*this, op);
    if (value != kNoOp) {
      changed_ = true;
      return value;
    }
    const size_t hash = Hash(op);
    if (const std::optional<OpId> equal = FindEqual(op, hash)) {
      changed_ = true;
      return *equal;
    }
    by_hash_.emplace(hash, static_cast<OpId>(ops_.size()));
  }
  op.id = static_cast<OpId>(ops_.size());
  ops_.push_back(std::move(op));
  return ops_.back().id;
}

OpId Simplifier::Emit(const Op& context, OpKind kind, std::vector<OpId> operands, Shape shape,
                      Attributes attrs) {
  return Emit(InPlaceOf(context, kind, std::move(operands), std::move(shape), std::move(attrs)));
}

OpId Simplifier::Find(const Op& context, OpKind kind, std::vector<OpId> operands, Shape shape,
                      Attributes attrs) const {
  const Op sought =
      InPlaceOf(context, kind, std::move(operands), std::move(shape), std::move(attrs));
  return FindEqual(sought, Hash(sought)).value_or(kNoOp);
}

OpId Simplifier::Constant(const Op& context, double value, Shape shape) {
  return Emit(context, OpKind::kConstant, {}, std::move(shape), ConstantAttrs{value});
}

// Parameters and variables live on: they take memory whether used or not.
void Simplifier::FindLive() {
  live_.assign(before_.size(), false);
  uses_.assign(before_.size(), {});
  for (const Output& output : outputs_) {
    live_[output.value] = true;
    uses_[output.value].count = 2;
  }
  for (size_t i = before_.size(); i-- > 0;) {
    const Op& old = before_[i];
    if (IsArgument(old)) {
      live_[i] = true;
    }
    if (!live_[i]) continue;
    for (const OpId operand : old.operands) {
      live_[operand] = true;
      Use& use = uses_[operand];
      if (use.user != old.id) ++use.count;
      use.user = old.id;
    }
  }
}

void Simplifier::MapOutputs(const std::vector<OpId>& map) {
  for (Output& output : outputs_) {
    output.value = map[output.value];
    if (output.variable == kNoOp) continue;
    output.variable = map[output.variable];
  }
}

bool Simplifier::Sweep() {
  before_ = std::move(ops_);
  ops_.clear();
  by_hash_.clear();
  by_hash_.reserve(before_.size());
  changed_ = false;
  FindLive();
  std::vector<OpId> map(before_.size(), kNoOp);
  for (size_t i = 0; i < before_.size(); ++i) {
    if (!live_[i]) continue;
    swept_ = before_[i].id;
    Op swept = std::move(before_[i]);
    for (OpId& operand : swept.operands) {
      operand = map[operand];
    }
    map[i] = Emit(std::move(swept));
  }
  MapOutputs(map);
  return changed_;
}

absl::StatusOr<Graph> Simplifier::Build() {
  std::vector<bool> live(ops_.size(), false);
  for (const Output& output : outputs_) {
    live[output.value] = true;
  }
  for (size_t i = ops_.size(); i-- > 0;) {
    const Op& last = ops_[i];
    if (IsArgument(last)) {
      live[i] = true;
    }
    if (!live[i]) continue;
    for (const OpId operand : last.operands) {
      live[operand] = true;
    }
  }
  GraphBuilder builder(name_);
  builder.ReserveNames(ops_.size());
  std::vector<OpId> map(ops_.size(), kNoOp);
  for (size_t i = 0; i < ops_.size(); ++i) {
    if (!live[i]) continue;
    std::vector<OpId> operands;
    for (const OpId operand : ops_[i].operands) {
      operands.push_back(map[operand]);
    }
    map[i] = builder.Clone(std::move(ops_[i]), std::move(operands));
  }
  for (const Output& output : outputs_) {
    builder.AddOutput(map[output.value], output.role,
                      output.variable == kNoOp ? kNoOp : map[output.variable]);
  }
  return builder.Build();
}

}  // namespace tilewise
