// Pass partition: the step of one core of the mesh. First the work on the same
// examples is shared (tensor; positions are before, see share_positions.h), then
// experts are (expert), then weights are stored in parts: experts over fsdp and
// context, all others over these and expert, then
// gradients are summed over the cores that have examples of their own: by an
// all-reduce for each gradient, or with a shared update (cross-replica
// weight-update sharding) by a reduce-scatter, each core updating its part.
// Losses and statistics stay per core. Recurrent cells, sorts along the shared
// dim and opaque ops are not shared: their operands are gathered.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/lowering/partition/axis_partition.h"
#include "sim/lowering/partition/drop_unused.h"
#include "sim/lowering/partition/experts.h"
#include "sim/lowering/partition/gradients.h"
#include "sim/lowering/partition/key_heads.h"
#include "sim/lowering/passes.h"
#include "sim/lowering/rewrite.h"

namespace tilewise {
namespace {

// The axes of cores with examples of their own that `op` sums over.
std::vector<MeshAxis> SummedAxes(const Op& op) {
  std::vector<MeshAxis> axes;
  if (op.kind != OpKind::kAllReduce) return axes;
  for (const MeshAxis axis : {MeshAxis::kFsdp, MeshAxis::kExpert, MeshAxis::kContext}) {
    if (Covers(op.as<CollectiveAttrs>().axis, axis)) axes.push_back(axis);
  }
  return axes;
}

// One all-reduce over all axes where `terms` were summed over some; what all stages
// of a pipeline have is summed over these, too.
OpId SumOverData(Rewrite& rewrite, const Op& terms, const Target& target, bool of_stage) {
  std::vector<MeshAxis> axes = SummedAxes(terms);
  const OpId own = rewrite.at(axes.empty() ? terms.id : terms.operands[0]);
  const bool over_stages = !of_stage && target.extent(MeshAxis::kStage) > 1;
  if (over_stages) axes.insert(axes.begin(), MeshAxis::kStage);
  if (target.extent(MeshAxis::kData) > 1) axes.insert(axes.begin(), MeshAxis::kData);
  int64_t cores = 1;
  for (const MeshAxis axis : axes) cores *= target.extent(axis);
  return rewrite.builder().AllReduce(own, cores, JoinAxes(axes));
}

// Data parallelism alone is what the frameworks make themselves, of the
// gradients as the optimizer gets them; else see IsWidening.
OpId SumGradient(Rewrite& rewrite, const Graph& graph, const Op& gradient, const Target& target,
                 bool of_stage) {
  GraphBuilder& b = rewrite.builder();
  if (target.extent(MeshAxis::kData) == target.cores) {
    return b.AllReduce(rewrite.at(gradient.id));
  }
  if (!IsWidening(graph, gradient)) {
    return SumOverData(rewrite, gradient, target, of_stage);
  }
  return b.Clone(gradient, {SumOverData(rewrite, graph.operand(gradient, 0), target, of_stage)});
}

absl::StatusOr<Graph> SumGradients(const Graph& graph, const Target& target) {
  const std::vector<bool> gradients = FindUnsummedGradients(graph);
  const std::vector<OpId> weights = FindWeightsOfGradients(graph);
  const bool has_copies = target.extent(MeshAxis::kData) > 1;
  Rewrite rewrite(graph);
  std::vector<OpId> summed(gradients.size(), kNoOp);
  for (const Op& op : graph.ops()) {
    std::vector<OpId> operands = rewrite.Operands(op);
    if (op.phase == Phase::kUpdate) {
      for (size_t i = 0; i < operands.size(); ++i) {
        const OpId sum = summed[op.operands[i]];
        if (sum != kNoOp) operands[i] = sum;
      }
    }
    const OpId copy = rewrite.builder().Clone(op, std::move(operands));
    rewrite.Replace(op, copy);
    if (!gradients[op.id]) continue;
    const bool of_stage =
        weights[op.id] != kNoOp && graph.op(weights[op.id]).as<VariableAttrs>().of_stage;
    if (of_stage && !has_copies) continue;
    rewrite.EnterContextOf(op);
    summed[op.id] = SumGradient(rewrite, graph, op, target, of_stage);
  }
  return rewrite.Finish();
}

SharedAxis AxisOf(const Target& target, MeshAxis axis) {
  return {std::string(MeshAxisName(axis)), target.extent(axis)};
}

// Joins those of `axes` with more than one core into one.
SharedAxis JoinedAxis(const Target& target, const std::vector<MeshAxis>& axes) {
  SharedAxis joined;
  std::vector<MeshAxis> long_axes;
  for (const MeshAxis axis : axes) {
    if (target.extent(axis) < 2) continue;
    long_axes.push_back(axis);
    joined.parts *= target.extent(axis);
  }
  joined.name = JoinAxes(long_axes);
  return joined;
}

// Training with fewer key heads than cores gathers keys and values.
absl::StatusOr<Graph> ShareWork(const Graph& graph, const LoweringContext& context) {
  const SharedAxis tensor = AxisOf(context.target, MeshAxis::kTensor);
  if (context.options.training) {
    return PartitionAxis(graph, tensor, Sharing::kWorkAndSums);
  }
  const std::vector<SharedAxis> stages = StagesOfTensor(context.source, tensor);
  Graph shared = graph;
  for (const SharedAxis& stage : stages) {
    TW_ASSIGN_OR_RETURN(shared, PartitionAxis(shared, stage, Sharing::kWork));
  }
  if (stages.size() > 1) {
    TW_ASSIGN_OR_RETURN(shared, JoinStages(shared, tensor));
    return DropUnused(shared);
  }
  return shared;
}

// Tokens move to the experts; all weights are stored in parts after that.
absl::StatusOr<Graph> ShareExperts(const Graph& graph, const Target& target) {
  const SharedAxis over_expert = AxisOf(target, MeshAxis::kExpert);
  const std::vector<int64_t> experts = FindExperts(graph, over_expert.parts);
  std::set<std::string> names;
  for (const Op& op : graph.ops()) {
    if (experts[op.id] >= 0) names.insert(op.name);
  }
  const auto is_expert = [&names](const Op* variable) {
    return variable != nullptr && names.contains(variable->name);
  };
  TW_ASSIGN_OR_RETURN(Graph shared, PartitionAxis(graph, over_expert, Sharing::kExperts));
  SharedAxis over_fsdp = JoinedAxis(target, {MeshAxis::kFsdp, MeshAxis::kContext});
  SharedAxis over_both =
      JoinedAxis(target, {MeshAxis::kFsdp, MeshAxis::kExpert, MeshAxis::kContext});
  if (over_fsdp.parts > 1) {
    over_fsdp.stores = is_expert;
    TW_ASSIGN_OR_RETURN(shared, PartitionAxis(shared, over_fsdp, Sharing::kWeights));
  }
  over_both.stores = [&is_expert](const Op* variable) { return !is_expert(variable); };
  return PartitionAxis(shared, over_both, Sharing::kWeights);
}

}  // namespace

absl::Status RunPartition(Program& program, const LoweringContext& context) {
  const Target& target = context.target;
  Graph& graph = program.graph;
  if (target.extent(MeshAxis::kTensor) > 1) {
    TW_ASSIGN_OR_RETURN(graph, ShareWork(graph, context));
  }
  if (target.extent(MeshAxis::kExpert) > 1) {
    TW_ASSIGN_OR_RETURN(graph, ShareExperts(graph, target));
  } else if (const SharedAxis stored = JoinedAxis(target, {MeshAxis::kFsdp, MeshAxis::kContext});
             stored.parts > 1) {
    TW_ASSIGN_OR_RETURN(graph, PartitionAxis(graph, stored, Sharing::kWeights));
  }
  const int64_t data = target.extent(MeshAxis::kData);
  const int64_t copies = data * target.extent(MeshAxis::kStage);
  if (copies <= 1 || !context.options.training) return absl::OkStatus();
  if (context.options.shard_update && copies == data) {
    TW_ASSIGN_OR_RETURN(graph,
                        PartitionAxis(graph, AxisOf(target, MeshAxis::kData), Sharing::kUpdate));
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(graph, SumGradients(graph, target));
  if (data < target.cores) {
    TW_ASSIGN_OR_RETURN(graph, DropUnused(graph));
  }
  return absl::OkStatus();
}

}  // namespace tilewise
