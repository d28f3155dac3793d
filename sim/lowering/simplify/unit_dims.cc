// Broadcasts, and what is computed of them, without dims of size 1.

#include "sim/lowering/simplify/unit_dims.h"

#include <algorithm>
#include <utility>

namespace tilewise {
namespace {

constexpr int kMostOps = 32;

bool IsOfBroadcasts(const Simplifier& s, OpId id, int& left) {
  const Op& op = s.op(id);
  if (op.kind == OpKind::kConstant || op.kind == OpKind::kBroadcast) return true;
  if (ClassOf(op.kind) != OpClass::kElementwise || --left < 0) return false;
  return std::ranges::all_of(op.operands,
                             [&](OpId operand) { return IsOfBroadcasts(s, operand, left); });
}

OpId BroadcastWithout(Simplifier& s, const Op& op, const std::vector<int64_t>& becomes,
                      const std::vector<Dim>& dims) {
  const Shape before = s.shape(op.operands[0]);
  const auto& mapping = op.as<BroadcastAttrs>().dims;
  Shape source(op.shape.dtype, {});
  std::vector<int64_t> kept;
  for (size_t i = 0; i < mapping.size(); ++i) {
    if (becomes[mapping[i]] < 0) continue;
    kept.push_back(becomes[mapping[i]]);
    source.dims.push_back(before.dims[i]);
  }
  const OpId x = s.Emit(op, OpKind::kReshape, {op.operands[0]}, std::move(source));
  return s.Emit(op, op.kind, {x}, {op.shape.dtype, dims}, BroadcastAttrs{std::move(kept)});
}

}  // namespace

std::vector<int64_t> WithoutUnitDims(const std::vector<Dim>& from, const std::vector<Dim>& to) {
  std::vector<int64_t> becomes;
  size_t next = 0;
  for (const Dim& dim : from) {
    if (next < to.size() && dim == to[next]) {
      becomes.push_back(static_cast<int64_t>(next++));
    } else if (dim == Dim{}) {
      becomes.push_back(-1);
    } else {
      return {};
    }
  }
  return next == to.size() ? becomes : std::vector<int64_t>();
}

bool IsMadeOfBroadcasts(const Simplifier& s, OpId id) {
  int left = kMostOps;
  return IsOfBroadcasts(s, id, left);
}

OpId MadeWithoutUnitDims(Simplifier& s, OpId id, const std::vector<int64_t>& becomes,
                         const std::vector<Dim>& dims) {
  const Op op = s.op(id);  // emitting may move the ops
  if (op.kind == OpKind::kBroadcast) return BroadcastWithout(s, op, becomes, dims);
  std::vector<OpId> operands;
  for (const OpId operand : op.operands) {
    operands.push_back(MadeWithoutUnitDims(s, operand, becomes, dims));
  }
  return s.Emit(op, op.kind, std::move(operands), {op.shape.dtype, dims}, op.attrs);
}

}  // namespace tilewise
