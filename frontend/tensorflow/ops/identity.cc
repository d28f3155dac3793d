// Ops whose result is their operand, and those that only check or order.

#include <algorithm>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

absl::Status AllSame(OpContext& ctx) {
  for (int64_t i = 0; i < ctx.num_inputs(); ++i) ctx.Forward(i, i);
  return absl::OkStatus();
}

// Takes the first of N equal operands.
absl::Status OnePerResult(OpContext& ctx) {
  const int64_t results = std::clamp<int64_t>(ctx.Int("num_replicas", 1), 1, int64_t{65536});
  for (int64_t i = 0; i < results; ++i) ctx.Forward(i, 0);
  return absl::OkStatus();
}

// Print: operand 0; PrintV2 and the like have no result.
constexpr OpEntry kIdentityOps[] = {
    {"Abort", Nothing},
    {"Assert", Nothing},
    {"CheckNumerics", SameAsOperand},
    {"CheckNumericsV2", SameAsOperand},
    {"ControlTrigger", Nothing},
    {"Copy", SameAsOperand},
    {"CopyHost", SameAsOperand},
    {"DebugGradientIdentity", SameAsOperand},
    {"DebugGradientRefIdentity", SameAsOperand},
    {"DebugIdentity", SameAsOperand},
    {"DebugIdentityV2", SameAsOperand},
    {"DeepCopy", SameAsOperand},
    {"DisableCopyOnRead", Nothing},
    {"EnsureShape", SameAsOperand},
    {"GuaranteeConst", SameAsOperand},
    {"Identity", SameAsOperand},
    {"IdentityN", AllSame},
    {"LoopCond", SameAsOperand},
    {"NoOp", Nothing},
    {"OptionalFromValue", Nothing},
    {"OptionalNone", Nothing},
    {"PreventGradient", SameAsOperand},
    {"Print", SameAsOperand},
    {"PrintV2", Nothing},
    {"RefIdentity", SameAsOperand},
    {"Snapshot", SameAsOperand},
    {"StopGradient", SameAsOperand},
    {"TPUCompilationResult", Nothing},
    {"TPUOrdinalSelector", Nothing},
    {"TPUReplicateMetadata", Nothing},
    {"TPUReplicatedInput", SameAsOperand},
    {"TPUReplicatedOutput", OnePerResult},
    {"TPUPartitionedInput", SameAsOperand},
    {"TPUPartitionedInputV2", SameAsOperand},
    {"TPUPartitionedOutput", SameAsOperand},
    {"Timestamp", Nothing},
    {"_EagerConst", SameAsOperand},
};

}  // namespace

absl::Status Nothing(OpContext& ctx) {
  (void)ctx;
  return absl::OkStatus();
}

absl::Status SameAsOperand(OpContext& ctx) { return ctx.ForwardFirst(); }

std::span<const OpEntry> IdentityOps() { return kIdentityOps; }

}  // namespace tilewise::tf
