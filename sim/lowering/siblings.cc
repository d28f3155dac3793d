// Siblings are found among the users of their first operand.

#include "sim/lowering/siblings.h"

#include "graph/op_traits.h"

namespace tilewise {
namespace {

bool HasSeveralResults(OpKind kind) {
  return ClassOf(kind) == OpClass::kSort || ClassOf(kind) == OpClass::kAttention;
}

}  // namespace

std::vector<OpId> Siblings(const Graph& graph, const Op& op) {
  if (!HasSeveralResults(op.kind)) return {op.id};
  std::vector<OpId> siblings;
  for (const OpId id : graph.users(op.operands[0])) {
    const Op& user = graph.op(id);
    if (user.kind != op.kind || user.operands != op.operands || user.loop != op.loop) {
      continue;
    }
    if (AlikeBut("result", user, op)) siblings.push_back(id);
  }
  return siblings;
}

}  // namespace tilewise
