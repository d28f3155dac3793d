// The change that brings all values of one type into another.

#include "rules/precision/other_type.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tilewise {
namespace {

bool Reads(const Graph& graph, const Op& op, DType type) {
  return std::ranges::any_of(op.operands,
                             [&](OpId id) { return graph.op(id).shape.dtype == type; });
}

// A variable that is written, or what it is written with.
bool IsState(const Graph& graph, OpId id) {
  return std::ranges::any_of(graph.outputs(), [id](const Output& output) {
    return output.role == Output::Role::kState && (output.value == id || output.variable == id);
  });
}

OpId MakeInType(GraphBuilder& builder, const Op& op, std::span<const OpId> operands, DType from,
                DType to) {
  std::vector<OpId> converted;
  converted.reserve(operands.size());
  for (const OpId x : operands) {
    const bool is_old = builder.shape(x).dtype == from;
    converted.push_back(is_old ? builder.Convert(x, to) : x);
  }
  Op same = op;
  if (op.shape.dtype == from) same.shape.dtype = to;
  if (op.kind == OpKind::kConvert) {
    return builder.Convert(converted[0], same.shape.dtype);
  }
  const bool is_leaf = converted.empty();
  return builder.Clone(same, std::move(converted), !is_leaf);
}

}  // namespace

Change InOtherType(const Graph& graph, DType from, DType to) {
  Change change;
  for (const Op& op : graph.ops()) {
    const bool has = op.shape.dtype == from;
    if (!has && !Reads(graph, op, from)) continue;
    if (op.kind == OpKind::kBitcastConvert) return {};
    const bool is_state = has && IsState(graph, op.id);
    // What a variable is written with is as wide as the variable.
    if (is_state && op.operands.empty()) continue;
    change.replace[op.id] = [from, to, is_state](GraphBuilder& builder, const Op& old,
                                                 std::span<const OpId> operands) {
      const OpId made = MakeInType(builder, old, operands, from, to);
      return is_state ? builder.Convert(made, from) : made;
    };
  }
  return change;
}

}  // namespace tilewise
