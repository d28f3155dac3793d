// Pass fuse: which ops run in one kernel (tpu-lowering 4). Without it every op
// with a cost is a kernel of its own, which lower_ops sees to.

#include "sim/lowering/fusion/multi_output.h"
#include "sim/lowering/passes.h"

namespace tilewise {

absl::Status RunFuse(Program& program, const LoweringContext& context) {
  const Chip& chip = context.target.chip;
  FusionGroups groups = GroupForFusion(program, chip, context.options.compiler.fuses_updates);
  MergeMultiOutput(program, groups);
  program.kernels = MakeKernels(program, chip, groups);
  return absl::OkStatus();
}

}  // namespace tilewise
