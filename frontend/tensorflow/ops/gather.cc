// Rows and slices at indices that are data.

#include "library/gather.h"

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/op_functions.h"

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
  int64_t batch_dims = ctx.Int("batch_dims", 0);
  TW_ASSIGN_OR_RETURN(const OpId table, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId places, AnyTensor(ctx, 1));
  if (batch_dims < 0) batch_dims += ctx.builder().shape(places).rank();
  TW_RETURN_IF_ERROR(CheckBatchDims(ctx.builder(), table, places, batch_dims));
  return ctx.Result(TakeAlong(ctx.builder(), table, places, axis, batch_dims));
}

// The table is a variable.
absl::Status ResourceGather(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId table, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId indices, Tensor(ctx, 1));
  const int64_t batch_dims = ctx.Int("batch_dims", 0);
  TW_RETURN_IF_ERROR(CheckBatchDims(ctx.builder(), table, indices, batch_dims));
  return ctx.Result(TakeAlong(ctx.builder(), table, indices, batch_dims, batch_dims));
}

constexpr OpEntry kGatherOps[] = {
    {"Gather", GatherRows},
    {"GatherNd", Row<GatherNd, Operand<0>, Operand<1>, Always<0>>},
    {"GatherV2", GatherRows},
    {"ResourceGather", ResourceGather},
    {"ResourceGatherNd", Row<GatherNd, Operand<0>, Operand<1>, Always<0>>},
};

}  // namespace

std::span<const OpEntry> GatherOps() { return kGatherOps; }

}  // namespace tilewise::tf
