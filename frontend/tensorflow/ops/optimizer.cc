// Updates of variables by optimizers. A sparse update does to the rows that it
// names what a dense one does to all.

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/update_rule.h"
#include "library/gather.h"

namespace tilewise::tf {
namespace {

// The variable at operand i as f32, or its rows at `indices`.
absl::StatusOr<Term> ReadRows(OpContext& ctx, int64_t i, OpId indices) {
  const VariableState* variable = ctx.Variable(i);
  if (variable == nullptr) {
    return InvalidInput(fmt::format("operand {} is no variable", i));
  }
  GraphBuilder& b = ctx.builder();
  OpId value = ctx.ReadVariable(i);
  if (value == kNoOp) return b.TakeStatus();
  if (indices != kNoOp) value = b.Gather(value, indices);
  return Term(b, b.Convert(value, DType::kF32));
}

void WriteRows(OpContext& ctx, int64_t i, OpId indices, Term rows) {
  GraphBuilder& b = ctx.builder();
  const OpId before = ctx.ReadVariable(i);
  OpId next = b.Convert(rows.id, b.shape(before).dtype);
  if (indices != kNoOp) {
    next = ScatterAlong(b, before, indices, next, 0, {.reducer = Reducer::kSum, .assign = true});
  }
  ctx.UpdateVariable(i, next);
  if (i == 0) ctx.Set(0, next);
}

absl::Status Apply(OpContext& ctx) {
  const UpdateRule* rule = FindUpdateRule(ctx.op());
  if (rule == nullptr) return InvalidInput("an update rule that is not known");
  GraphBuilder& b = ctx.builder();
  Update u;
  u.nesterov = ctx.Bool("use_nesterov", false);
  OpId indices = kNoOp;
  for (size_t k = 0; k < rule->operands.size(); ++k) {
    const Role role = rule->operands[k];
    if (role == Role::kNone) continue;
    TW_ASSIGN_OR_RETURN(const OpId op, Tensor(ctx, 1 + rule->slots + static_cast<int64_t>(k)));
    if (role == Role::kIndices) {
      indices = op;
    } else {
      u.numbers[static_cast<size_t>(role)] = Term(b, b.Convert(op, DType::kF32));
    }
  }
  u.g = u.Number(Role::kGradient);
  TW_ASSIGN_OR_RETURN(u.w, ReadRows(ctx, 0, indices));
  if (u.g.shape().dims != u.w.shape().dims) {
    return InvalidInput(fmt::format("found a gradient of {} for {}", FormatShape(u.g.shape()),
                                    FormatShape(u.w.shape())));
  }
  for (int64_t i = 0; i < rule->slots; ++i) {
    TW_ASSIGN_OR_RETURN(u.slot[i], ReadRows(ctx, 1 + i, indices));
  }
  rule->formula(u);
  for (int64_t i = 0; i < rule->slots; ++i) {
    WriteRows(ctx, 1 + i, indices, u.slot[i]);
  }
  WriteRows(ctx, 0, indices, u.w);
  return absl::OkStatus();
}

constexpr OpEntry kOptimizerOps[] = {
    {"ApplyAdaMax", Apply},
    {"ApplyAdadelta", Apply},
    {"ApplyAdagrad", Apply},
    {"ApplyAdagradDA", Apply},
    {"ApplyAdagradV2", Apply},
    {"ApplyAdam", Apply},
    {"ApplyAddSign", Apply},
    {"ApplyCenteredRMSProp", Apply},
    {"ApplyFtrl", Apply},
    {"ApplyFtrlV2", Apply},
    {"ApplyGradientDescent", Apply},
    {"ApplyMomentum", Apply},
    {"ApplyPowerSign", Apply},
    {"ApplyProximalAdagrad", Apply},
    {"ApplyProximalGradientDescent", Apply},
    {"ApplyRMSProp", Apply},
    {"ResourceApplyAdaMax", Apply},
    {"ResourceApplyAdadelta", Apply},
    {"ResourceApplyAdagrad", Apply},
    {"ResourceApplyAdagradDA", Apply},
    {"ResourceApplyAdagradV2", Apply},
    {"ResourceApplyAdam", Apply},
    {"ResourceApplyAdamWithAmsgrad", Apply},
    {"ResourceApplyAddSign", Apply},
    {"ResourceApplyCenteredRMSProp", Apply},
    {"ResourceApplyFtrl", Apply},
    {"ResourceApplyFtrlV2", Apply},
    {"ResourceApplyGradientDescent", Apply},
    {"ResourceApplyKerasMomentum", Apply},
    {"ResourceApplyMomentum", Apply},
    {"ResourceApplyPowerSign", Apply},
    {"ResourceApplyProximalAdagrad", Apply},
    {"ResourceApplyProximalGradientDescent", Apply},
    {"ResourceApplyRMSProp", Apply},
    {"ResourceSparseApplyAdadelta", Apply},
    {"ResourceSparseApplyAdagrad", Apply},
    {"ResourceSparseApplyAdagradDA", Apply},
    {"ResourceSparseApplyAdagradV2", Apply},
    {"ResourceSparseApplyCenteredRMSProp", Apply},
    {"ResourceSparseApplyFtrl", Apply},
    {"ResourceSparseApplyFtrlV2", Apply},
    {"ResourceSparseApplyKerasMomentum", Apply},
    {"ResourceSparseApplyMomentum", Apply},
    {"ResourceSparseApplyProximalAdagrad", Apply},
    {"ResourceSparseApplyProximalGradientDescent", Apply},
    {"ResourceSparseApplyRMSProp", Apply},
    {"SparseApplyAdadelta", Apply},
    {"SparseApplyAdagrad", Apply},
    {"SparseApplyAdagradDA", Apply},
    {"SparseApplyAdagradV2", Apply},
    {"SparseApplyCenteredRMSProp", Apply},
    {"SparseApplyFtrl", Apply},
    {"SparseApplyFtrlV2", Apply},
    {"SparseApplyMomentum", Apply},
    {"SparseApplyProximalAdagrad", Apply},
    {"SparseApplyProximalGradientDescent", Apply},
    {"SparseApplyRMSProp", Apply},
};

}  // namespace

std::span<const OpEntry> OptimizerOps() { return kOptimizerOps; }

}  // namespace tilewise::tf
