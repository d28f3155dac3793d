// Pass 4: data parallelism. Every core has all variables and its own part of
// the batch, so a gradient is summed over the cores before the optimizer uses
// it: one all-reduce for each gradient. Losses and statistics stay per core.

#include <vector>

#include "sim/lowering/passes/passes.h"
#include "sim/lowering/passes/rewrite.h"

namespace tilewise {
namespace {

// Whether the cores hold different values of each op: what depends on the
// batch or on random numbers does, unless it was summed over the cores.
std::vector<bool> FindVarying(const Graph& graph) {
  std::vector<bool> varying(static_cast<size_t>(graph.size()), false);
  for (const Op& op : graph.ops()) {
    bool varies =
        op.kind == OpKind::kParameter || ClassOf(op.kind) == OpClass::kRandom;
    for (const OpId operand : op.operands) {
      varies = varies || varying[static_cast<size_t>(operand)];
    }
    varying[static_cast<size_t>(op.id)] =
        varies && op.kind != OpKind::kAllReduce;
  }
  return varying;
}

// Gradients: what varies and is used by the update, but is no part of it.
std::vector<bool> FindGradients(const Graph& graph) {
  const std::vector<bool> varying = FindVarying(graph);
  std::vector<bool> gradients(varying.size(), false);
  for (const Op& op : graph.ops()) {
    if (op.phase != Phase::kUpdate) continue;
    for (const OpId operand : op.operands) {
      const bool outside = graph.op(operand).phase != Phase::kUpdate;
      if (outside && varying[static_cast<size_t>(operand)]) {
        gradients[static_cast<size_t>(operand)] = true;
      }
    }
  }
  return gradients;
}

}  // namespace

absl::Status RunPartition(Program& program, const LoweringContext& context) {
  if (context.target.cores <= 1 || !context.options.training) {
    return absl::OkStatus();
  }
  const std::vector<bool> gradients = FindGradients(program.graph);
  Rewrite rewrite(program.graph);
  std::vector<OpId> summed(gradients.size(), kNoOp);
  for (const Op& op : program.graph.ops()) {
    std::vector<OpId> operands = rewrite.Operands(op);
    if (op.phase == Phase::kUpdate) {
      for (size_t i = 0; i < operands.size(); ++i) {
        const OpId sum = summed[static_cast<size_t>(op.operands[i])];
        if (sum != kNoOp) operands[i] = sum;
      }
    }
    const OpId copy = rewrite.builder().Clone(op, std::move(operands));
    rewrite.Replace(op, copy);
    if (!gradients[static_cast<size_t>(op.id)]) continue;
    rewrite.EnterContextOf(op);
    summed[static_cast<size_t>(op.id)] = rewrite.builder().AllReduce(copy);
  }
  TW_ASSIGN_OR_RETURN(program.graph, rewrite.Finish());
  return absl::OkStatus();
}

}  // namespace tilewise
