// Marks from the outputs back, then copies what is marked.

#include "sim/lowering/partition/drop_unused.h"

#include <vector>

#include "sim/lowering/rewrite.h"

namespace tilewise {

absl::StatusOr<Graph> DropUnused(const Graph& graph) {
  std::vector<bool> used(graph.size(), false);
  for (const Output& output : graph.outputs()) {
    used[output.value] = true;
  }
  for (OpId id(graph.size() - 1); id >= 0; --id) {
    const Op& op = graph.op(id);
    if (IsArgument(op)) {
      used[id] = true;
    }
    if (!used[id]) continue;
    for (const OpId operand : op.operands) {
      used[operand] = true;
    }
  }
  Rewrite rewrite(graph);
  for (const Op& op : graph.ops()) {
    if (used[op.id]) rewrite.Copy(op);
  }
  return rewrite.Finish();
}

}  // namespace tilewise
