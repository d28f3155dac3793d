// Carries broadcasts, transposes and reshapes from the operands of an
// elementwise op to its result. A broadcast always: the op then works on fewer
// elements. So a reshape that adds dims of size 1, which tiles would be filled
// up for (XLA's rewriter of degenerate dims). Another reshape or transpose only
// where that removes one: when it stood on several operands, or meets its
// opposite further down; or where the op is there already in the order before
// it. Next to a transpose, a broadcast is made in the order before it.

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/simplify/simplifier.h"
#include "sim/lowering/simplify/unit_dims.h"

namespace tilewise {
namespace {

constexpr int kLookAhead = 16;  // elementwise ops between opposite movements

bool IsMovement(OpKind kind) {
  return kind == OpKind::kBroadcast || kind == OpKind::kTranspose || kind == OpKind::kReshape;
}

// The dims of a broadcast in the order before `transpose`; empty when they are none of a broadcast.
std::vector<int64_t> DimsBefore(const Op& transpose, const Op& broadcast) {
  std::vector<int64_t> dims =
      ComposedDims(transpose.as<TransposeAttrs>().dims, broadcast.as<BroadcastAttrs>().dims);
  return std::ranges::is_sorted(dims) ? dims : std::vector<int64_t>();
}

const Op* FirstTranspose(const Simplifier& s, const Op& op) {
  for (const OpId id : op.operands) {
    if (s.op(id).kind == OpKind::kTranspose) return &s.op(id);
  }
  return nullptr;
}

// The movement that all operands but constants, and broadcasts next to transposes, have in common,
// or null. `count` becomes how many different ones there are.
const Op* CommonMovement(const Simplifier& s, const Op& op, size_t& count) {
  const Op* common = FirstTranspose(s, op);
  std::vector<OpId> seen;
  for (const OpId id : op.operands) {
    const Op& operand = s.op(id);
    if (operand.kind == OpKind::kConstant) continue;
    if (operand.kind == OpKind::kBroadcast && common != nullptr &&
        common->kind == OpKind::kTranspose && !DimsBefore(*common, operand).empty()) {
      continue;
    }
    if (!IsMovement(operand.kind)) return nullptr;
    if (common == nullptr) common = &operand;
    const auto source_dims = [&](const Op& movement) { return s.shape(movement.operands[0]).dims; };
    if (operand.kind != common->kind || operand.attrs != common->attrs ||
        source_dims(operand) != source_dims(*common)) {
      return nullptr;
    }
    if (std::find(seen.begin(), seen.end(), id) == seen.end()) {
      seen.push_back(id);
    }
  }
  count = seen.size();
  return common;
}

bool AddsUnitDims(const Op& movement, const std::vector<Dim>& source) {
  return movement.kind == OpKind::kReshape && movement.shape.dims.size() > source.size() &&
         !WithoutUnitDims(movement.shape.dims, source).empty();
}

// An op on values that reshapes gave dims of size 1, and on broadcasts and constants, which need
// not have them.
OpId MoveUnitDimsBelow(Simplifier& s, const Op& op) {
  std::optional<std::vector<Dim>> dims;
  for (const OpId id : op.operands) {
    const Op& operand = s.op(id);
    if (operand.kind == OpKind::kConstant || operand.kind == OpKind::kBroadcast) continue;
    if (operand.kind != OpKind::kReshape) return kNoOp;
    const std::vector<Dim>& source = s.shape(operand.operands[0]).dims;
    if (!AddsUnitDims(operand, source) || (dims && *dims != source)) return kNoOp;
    dims = source;
  }
  if (!dims) return kNoOp;
  const std::vector<int64_t> becomes = WithoutUnitDims(op.shape.dims, *dims);
  std::vector<OpId> operands;
  for (const OpId id : op.operands) {
    const Op& operand = s.op(id);
    operands.push_back(operand.kind == OpKind::kReshape
                           ? operand.operands[0]
                           : MadeWithoutUnitDims(s, id, becomes, *dims));
  }
  const OpId moved = s.Emit(op, op.kind, std::move(operands), {op.shape.dtype, *dims}, op.attrs);
  return s.Emit(op, OpKind::kReshape, {moved}, op.shape);
}

bool Undoes(const Op& movement, const std::vector<Dim>& source, const Op& user) {
  if (user.kind != movement.kind) return false;
  if (movement.kind == OpKind::kReshape) return user.shape.dims == source;
  const std::vector<int64_t>& first = movement.as<TransposeAttrs>().dims;
  const std::vector<int64_t>& second = user.as<TransposeAttrs>().dims;
  for (size_t i = 0; i < second.size(); ++i) {
    if (first[second[i]] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

// Whether the result of the swept op goes through elementwise ops with
// constants and broadcasts, and nowhere else, to the opposite of `movement`.
bool MeetsOpposite(const Simplifier& s, const Op& movement) {
  const std::vector<Dim>& source = s.shape(movement.operands[0]).dims;
  OpId at = s.swept();
  const Op* user = s.OnlyUserOfSwept();
  for (int i = 0; i < kLookAhead && user != nullptr; ++i) {
    if (Undoes(movement, source, *user)) return true;
    if (ClassOf(user->kind) != OpClass::kElementwise) return false;
    for (const OpId operand : user->operands) {
      if (operand != at && !s.WasConstant(operand) && !s.WasBroadcast(operand)) return false;
    }
    at = user->id;
    user = s.OnlyUser(at);
  }
  return false;
}

// The operands of `op` in the order before `movement`. `make` gives the constants and broadcasts
// among them, or kNoOp.
template <typename Make>
std::vector<OpId> OperandsBefore(const Simplifier& s, const Op& op, const Op& movement,
                                 const std::vector<Dim>& source, const Make& make) {
  std::vector<OpId> operands;
  for (const OpId id : op.operands) {
    const OpKind kind = s.op(id).kind;
    const Shape shape = {s.shape(id).dtype, source};
    if (kind == OpKind::kConstant) {
      operands.push_back(make(kind, {}, shape, s.op(id).attrs));
    } else if (kind == OpKind::kBroadcast && movement.kind == OpKind::kTranspose) {
      operands.push_back(make(kind, {s.op(id).operands[0]}, shape,
                              BroadcastAttrs{DimsBefore(movement, s.op(id))}));
    } else {
      operands.push_back(s.op(id).operands[0]);
    }
  }
  return operands;
}

// Whether the value of `op` in the order before `movement` is made anyway.
bool IsMadeBefore(const Simplifier& s, const Op& op, const Op& movement) {
  const std::vector<Dim>& source = s.shape(movement.operands[0]).dims;
  const auto find = [&](OpKind kind, std::vector<OpId> operands, Shape shape, Attributes attrs) {
    return s.Find(op, kind, std::move(operands), std::move(shape), std::move(attrs));
  };
  std::vector<OpId> operands = OperandsBefore(s, op, movement, source, find);
  return std::find(operands.begin(), operands.end(), kNoOp) == operands.end() &&
         find(op.kind, std::move(operands), {op.shape.dtype, source}, op.attrs) != kNoOp;
}

}  // namespace

OpId MoveBelow(Simplifier& s, const Op& op) {
  size_t count = 0;
  const Op* common = CommonMovement(s, op, count);
  if (common == nullptr) return MoveUnitDimsBelow(s, op);
  const bool always = common->kind == OpKind::kBroadcast ||
                      AddsUnitDims(*common, s.shape(common->operands[0]).dims);
  if (!always && count < 2 && !MeetsOpposite(s, *common) && !IsMadeBefore(s, op, *common)) {
    return kNoOp;
  }
  const Op movement = *common;  // emitting may move the ops
  const std::vector<Dim> source = s.shape(movement.operands[0]).dims;
  const auto emit = [&](OpKind kind, std::vector<OpId> operands, Shape shape, Attributes attrs) {
    return s.Emit(op, kind, std::move(operands), std::move(shape), std::move(attrs));
  };
  const OpId moved = emit(op.kind, OperandsBefore(s, op, movement, source, emit),
                          {op.shape.dtype, source}, op.attrs);
  return emit(movement.kind, {moved}, op.shape, movement.attrs);
}

}  // namespace tilewise
