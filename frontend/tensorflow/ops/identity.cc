// Ops whose result is their operand, and those that only check or order.

#include <algorithm>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

absl::Status Same(OpContext& ctx) {
  ctx.Forward(0, 0);
  return absl::OkStatus();
}

absl::Status AllSame(OpContext& ctx) {
  for (int64_t i = 0; i < ctx.num_inputs(); ++i) ctx.Forward(i, i);
  return absl::OkStatus();
}

// Of N equal operands, the first.
absl::Status OnePerResult(OpContext& ctx) {
  const int64_t results =
      std::clamp<int64_t>(ctx.Int("num_replicas", 1), 1, int64_t{65536});
  for (int64_t i = 0; i < results; ++i) ctx.Forward(i, 0);
  return absl::OkStatus();
}

absl::Status Nothing(OpContext& ctx) {
  (void)ctx;
  return absl::OkStatus();
}

// Print: operand 0; PrintV2 and the like have no result.
constexpr OpEntry kEntries[] = {
    {"Abort", Nothing},
    {"Assert", Nothing},
    {"CheckNumerics", Same},
    {"CheckNumericsV2", Same},
    {"ControlTrigger", Nothing},
    {"Copy", Same},
    {"CopyHost", Same},
    {"DebugGradientIdentity", Same},
    {"DebugGradientRefIdentity", Same},
    {"DebugIdentity", Same},
    {"DebugIdentityV2", Same},
    {"DeepCopy", Same},
    {"DisableCopyOnRead", Nothing},
    {"EnsureShape", Same},
    {"GuaranteeConst", Same},
    {"Identity", Same},
    {"IdentityN", AllSame},
    {"LoopCond", Same},
    {"NoOp", Nothing},
    {"OptionalFromValue", Nothing},
    {"OptionalNone", Nothing},
    {"PreventGradient", Same},
    {"Print", Same},
    {"PrintV2", Nothing},
    {"RefIdentity", Same},
    {"Snapshot", Same},
    {"StopGradient", Same},
    {"TPUCompilationResult", Nothing},
    {"TPUOrdinalSelector", Nothing},
    {"TPUReplicateMetadata", Nothing},
    {"TPUReplicatedInput", Same},
    {"TPUReplicatedOutput", OnePerResult},
    {"TPUPartitionedInput", Same},
    {"TPUPartitionedInputV2", Same},
    {"TPUPartitionedOutput", Same},
    {"Timestamp", Nothing},
    {"_EagerConst", Same},
};

}  // namespace

std::span<const OpEntry> IdentityOps() { return kEntries; }

}  // namespace tilewise::tf
