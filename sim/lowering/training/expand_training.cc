// Pass expand_training: forward graph -> training step. Positions are shared out
// before, so that gradients are those of a core's own.

#include "graph/training.h"
#include "sim/lowering/partition/share_positions.h"
#include "sim/lowering/passes.h"

namespace tilewise {
namespace {

absl::StatusOr<Graph> Expand(const Program& program, const LoweringContext& context) {
  const TrainingSpec& spec = context.options.spec;
  const int64_t parts = context.target.extent(MeshAxis::kContext);
  const int64_t replicas = context.target.batch_shards() * parts;
  const bool accumulates = context.options.training && spec.accumulation_steps > 1;
  if (parts > 1) {
    if (accumulates) {
      return absl::UnimplementedError(
          "gradient accumulation with positions shared out over mesh axis context");
    }
    TW_ASSIGN_OR_RETURN(Graph shared,
                        SharePositions(context.source, parts, MeshAxisName(MeshAxis::kContext)));
    if (!context.options.training) return shared;
    return ExpandTraining(shared, spec, replicas);
  }
  if (!accumulates) return ExpandTraining(context.source, spec, replicas);
  return ExpandTrainingOf(context.forward, program.batch_per_core, spec, replicas);
}

}  // namespace

absl::Status RunExpandTraining(Program& program, const LoweringContext& context) {
  const bool shares = context.target.extent(MeshAxis::kContext) > 1;
  if (!context.options.training && !shares) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(program.graph, Expand(program, context));
  return absl::OkStatus();
}

}  // namespace tilewise
