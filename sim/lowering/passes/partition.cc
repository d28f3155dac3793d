// Pass partition: the step of one core of the mesh. First the work on the same
// examples is shared (tensor), then weights are stored in parts (fsdp), then
// gradients are summed over the cores that have examples of their own: by an
// all-reduce for each gradient, or with a shared update (cross-replica
// weight-update sharding) by a reduce-scatter, each core updating its part.
// Losses and statistics stay per core. Recurrent cells, sorts along the shared
// dim and opaque ops are not shared: their operands are gathered.

#include <string>
#include <vector>

#include "sim/lowering/passes/partition/axis_partition.h"
#include "sim/lowering/passes/partition/drop_unused.h"
#include "sim/lowering/passes/partition/gradients.h"
#include "sim/lowering/passes/passes.h"
#include "sim/lowering/passes/rewrite.h"

namespace tilewise {
namespace {

bool IsOverFsdp(const Op& op) {
  return op.kind == OpKind::kAllReduce &&
         op.attrs->axis == MeshAxisName(MeshAxis::kFsdp);
}

// One all-reduce over both axes where `terms` were summed over fsdp.
OpId SumOverData(Rewrite& rewrite, const Op& terms, const Target& target) {
  GraphBuilder& b = rewrite.builder();
  if (IsOverFsdp(terms)) {
    return b.AllReduce(rewrite.at(terms.operands[0]), target.batch_shards(),
                       kDataAndFsdp);
  }
  return b.AllReduce(rewrite.at(terms.id), target.extent(MeshAxis::kData),
                     MeshAxisName(MeshAxis::kData));
}

// Data parallelism alone is what the frameworks make themselves, of the
// gradients as the optimizer gets them; else see IsWidening.
OpId SumGradient(Rewrite& rewrite, const Graph& graph, const Op& gradient,
                 const Target& target) {
  GraphBuilder& b = rewrite.builder();
  if (target.extent(MeshAxis::kData) == target.cores) {
    return b.AllReduce(rewrite.at(gradient.id));
  }
  if (!IsWidening(graph, gradient)) {
    return SumOverData(rewrite, gradient, target);
  }
  return b.Clone(gradient,
                 {SumOverData(rewrite, graph.operand(gradient, 0), target)});
}

absl::StatusOr<Graph> SumGradients(const Graph& graph, const Target& target) {
  const std::vector<bool> gradients = FindUnsummedGradients(graph);
  Rewrite rewrite(graph);
  std::vector<OpId> summed(gradients.size(), kNoOp);
  for (const Op& op : graph.ops()) {
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
    summed[static_cast<size_t>(op.id)] =
        SumGradient(rewrite, graph, op, target);
  }
  return rewrite.Finish();
}

}  // namespace

absl::Status RunPartition(Program& program, const LoweringContext& context) {
  const Target& target = context.target;
  Graph& graph = program.graph;
  const int64_t tensor = target.extent(MeshAxis::kTensor);
  if (tensor > 1) {
    const Sharing sharing =
        context.options.training ? Sharing::kWorkAndSums : Sharing::kWork;
    TW_ASSIGN_OR_RETURN(
        graph, PartitionAxis(graph, MeshAxis::kTensor, tensor, sharing));
  }
  const int64_t fsdp = target.extent(MeshAxis::kFsdp);
  if (fsdp > 1) {
    TW_ASSIGN_OR_RETURN(
        graph, PartitionAxis(graph, MeshAxis::kFsdp, fsdp, Sharing::kWeights));
  }
  const int64_t data = target.extent(MeshAxis::kData);
  if (data <= 1 || !context.options.training) return absl::OkStatus();
  if (context.options.shard_update) {
    TW_ASSIGN_OR_RETURN(
        graph, PartitionAxis(graph, MeshAxis::kData, data, Sharing::kUpdate));
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(graph, SumGradients(graph, target));
  if (data < target.cores) {
    TW_ASSIGN_OR_RETURN(graph, DropUnused(graph));
  }
  return absl::OkStatus();
}

}  // namespace tilewise
