// Rows and slices at places that are data.

#include "library/gather.h"

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

absl::Status CheckBatchDims(const GraphBuilder& b, OpId table, OpId indices, int64_t batch_dims) {
  if (batch_dims >= 0 && batch_dims < b.shape(table).rank() &&
      batch_dims <= b.shape(indices).rank()) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found {} batch dims of {} and {}", batch_dims,
                                  FormatShape(b.shape(table)), FormatShape(b.shape(indices))));
}

absl::Status GatherRows(OpContext& ctx) {
  int64_t axis = 0;
  if (ctx.num_inputs() > 2) {
    TW_ASSIGN_OR_RETURN(axis, KnownSingle(ctx, 2, "axis"));
  }
  const KnownValue* x = ctx.Known(0);
  const KnownValue* indices = ctx.Known(1);
  int64_t batch_dims = ctx.Int("batch_dims", 0);
  if (x != nullptr && indices != nullptr && batch_dims == 0 &&
      ctx.SetIfKnown(0, KnownGather(*x, *indices, axis))) {
    return absl::OkStatus();
  }
  TW_ASSIGN_OR_RETURN(const OpId table, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId places, Tensor(ctx, 1));
  if (batch_dims < 0) batch_dims += ctx.builder.shape(places).rank();
  TW_RETURN_IF_ERROR(CheckBatchDims(ctx.builder, table, places, batch_dims));
  ctx.SetOp(0, TakeAlong(ctx.builder, table, places, axis, batch_dims));
  return absl::OkStatus();
}

absl::Status GatherNdOp(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId indices, Tensor(ctx, 1));
  ctx.SetOp(0, GatherNd(ctx.builder, x, indices));
  return absl::OkStatus();
}

// The table is a variable.
absl::Status ResourceGather(OpContext& ctx) {
  const OpId table = ctx.ReadVariable(0);
  if (table == kNoOp) return ctx.builder.status();
  TW_ASSIGN_OR_RETURN(const OpId indices, Tensor(ctx, 1));
  const int64_t batch_dims = ctx.Int("batch_dims", 0);
  TW_RETURN_IF_ERROR(CheckBatchDims(ctx.builder, table, indices, batch_dims));
  ctx.SetOp(0, TakeAlong(ctx.builder, table, indices, batch_dims, batch_dims));
  return absl::OkStatus();
}

absl::Status ResourceGatherNd(OpContext& ctx) {
  const OpId table = ctx.ReadVariable(0);
  if (table == kNoOp) return ctx.builder.status();
  TW_ASSIGN_OR_RETURN(const OpId indices, Tensor(ctx, 1));
  ctx.SetOp(0, GatherNd(ctx.builder, table, indices));
  return absl::OkStatus();
}

constexpr OpEntry kGatherOps[] = {
    {"Gather", GatherRows},
    {"GatherNd", GatherNdOp},
    {"GatherV2", GatherRows},
    {"ResourceGather", ResourceGather},
    {"ResourceGatherNd", ResourceGatherNd},
};

}  // namespace

std::span<const OpEntry> GatherOps() { return kGatherOps; }

}  // namespace tilewise::tf
