// Pass expand_training: forward graph -> training step.

#include "graph/training.h"
#include "sim/lowering/passes.h"

namespace tilewise {

absl::Status RunExpandTraining(Program& program, const LoweringContext& context) {
  const TrainingSpec& spec = context.options.spec;
  if (!context.options.training) return absl::OkStatus();
  if (spec.accumulation_steps == 1) {  // the bound graph is there already
    TW_ASSIGN_OR_RETURN(program.graph,
                        ExpandTraining(context.source, spec, context.target.batch_shards()));
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(program.graph, ExpandTrainingOf(context.forward, program.batch_per_core, spec,
                                                      context.target.batch_shards()));
  return absl::OkStatus();
}

}  // namespace tilewise
