// Marks from the outputs back, then copies what is marked.

#include "sim/lowering/partition/drop_unused.h"

#include <vector>

#include "sim/lowering/rewrite.h"

namespace tilewise {

absl::StatusOr<Graph> DropUnused(const Graph& graph) {
  std::vector<bool> used(static_cast<size_t>(graph.size()), false);
  for (const Output& output : graph.outputs()) {
    used[static_cast<size_t>(output.value)] = true;
  }
  for (OpId id = graph.size() - 1; id >= 0; --id) {
    const Op& op = graph.op(id);
    if (op.kind == OpKind::kParameter || op.kind == OpKind::kVariable) {
      used[static_cast<size_t>(id)] = true;
    }
    if (!used[static_cast<size_t>(id)]) continue;
    for (const OpId operand : op.operands) {
      used[static_cast<size_t>(operand)] = true;
    }
  }
  Rewrite rewrite(graph);
  for (const Op& op : graph.ops()) {
    if (used[static_cast<size_t>(op.id)]) rewrite.Copy(op);
  }
  return rewrite.Finish();
}

}  // namespace tilewise
