// Pass 1: forward graph -> training step.

#include "graph/training.h"
#include "sim/lowering/passes/passes.h"

namespace tilewise {

absl::Status RunExpandTraining(Program& program,
                               const LoweringContext& context) {
  if (!context.options.training) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(program.graph,
                      ExpandTraining(program.graph, context.options.spec,
                                     context.target.cores));
  return absl::OkStatus();
}

}  // namespace tilewise
