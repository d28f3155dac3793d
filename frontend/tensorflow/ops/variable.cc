// Variables: reading them, and the values they have after the step.

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"

namespace tilewise::tf {
namespace {

// A step of a training graph reads variables as they were before it.
absl::Status ReadVariable(OpContext& ctx) {
  if (ctx.Variable(0) == nullptr) {
    return ctx.ForwardFirst();
  }
  const OpId value = ctx.ReadVariable(0);
  if (value == kNoOp) return ctx.builder().TakeStatus();
  return ctx.Result(value);
}

// Handles and values alternate: N handles in, N values out.
absl::Status ReadVariables(OpContext& ctx) {
  for (int64_t i = 0; i < ctx.num_inputs(); ++i) {
    const OpId value = ctx.ReadVariable(i);
    if (value == kNoOp) return ctx.builder().TakeStatus();
    ctx.Set(i, value);
  }
  return absl::OkStatus();
}

// Sets the variable and, of the older ops, the result, which is a reference to
// it. What is assigned of another shape is left out.
absl::Status Store(OpContext& ctx, OpId value) {
  const VariableState* variable = ctx.Variable(0);
  if (variable == nullptr) return InvalidInput("operand 0 is no variable");
  if (variable->shape && *variable->shape != ctx.builder().shape(value)) {
    return InvalidInput(fmt::format("found {} for a variable of {}",
                                    FormatShape(ctx.builder().shape(value)),
                                    FormatShape(*variable->shape)));
  }
  ctx.UpdateVariable(0, value);
  return ctx.Result(value);
}

absl::Status Assign(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId value, Tensor(ctx, 1));
  return Store(ctx, value);
}

template <OpKind kKind>
absl::Status AssignWith(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId change, Tensor(ctx, 1));
  const OpId before = ctx.ReadVariable(0);
  if (before == kNoOp) return ctx.builder().TakeStatus();
  return Store(ctx, BinaryOf(ctx.builder(), kKind, before, change));
}

absl::Status IsInitialized(OpContext& ctx) { return ctx.Result(KnownScalar(1, DType::kPred)); }

// A counter of the host.
absl::Status CountUpTo(OpContext& ctx) {
  const OpId before = ctx.ReadVariable(0);
  if (before == kNoOp) return ctx.builder().TakeStatus();
  const OpId next = ctx.builder().BinaryScalar(OpKind::kAdd, before, 1);
  ctx.UpdateVariable(0, next);
  return ctx.Result(before);
}

constexpr OpEntry kVariableOps[] = {
    {"Assign", Assign},
    {"AssignAdd", AssignWith<OpKind::kAdd>},
    {"AssignAddVariableOp", AssignWith<OpKind::kAdd>},
    {"AssignSub", AssignWith<OpKind::kSubtract>},
    {"AssignSubVariableOp", AssignWith<OpKind::kSubtract>},
    {"AssignVariableOp", Assign},
    {"CountUpTo", CountUpTo},
    // Handles are not on the device.
    {"DestroyResourceOp", Nothing},
    {"DestroyTemporaryVariable", ReadVariable},
    {"IsVariableInitialized", IsInitialized},
    {"ReadVariableOp", ReadVariable},
    {"ResourceCountUpTo", CountUpTo},
    {"VarIsInitializedOp", IsInitialized},
    {"_ReadVariablesOp", ReadVariables},
};

}  // namespace

std::span<const OpEntry> VariableOps() { return kVariableOps; }

}  // namespace tilewise::tf
