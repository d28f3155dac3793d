// Exchanges between the cores that run the step.

#include <algorithm>

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"

namespace tilewise::tf {
namespace {

// Cores of a group: the columns of a [groups, cores] assignment at `operand`.
// 0: all of them, when there is one group or it is not known.
int64_t GroupSize(const OpContext& ctx, int64_t operand) {
  const KnownValue* groups = ctx.Folded(operand);
  if (groups == nullptr || groups->rank() != 2) return 0;
  return groups->dims[0] > 1 ? groups->dims[1] : 0;
}

// The same, where 0 will not do.
absl::StatusOr<int64_t> StatedGroupSize(const OpContext& ctx, int64_t operand) {
  const KnownValue* groups = ctx.Folded(operand);
  if (groups != nullptr && groups->rank() == 2) return groups->dims[1];
  if (groups != nullptr && groups->rank() == 0) {
    return KnownSingle(ctx, operand, "group_size");
  }
  const int64_t size = ctx.Int("group_size", 0);
  if (size > 0) return size;
  return InvalidInput("the number of cores that exchange is not known");
}

absl::Status AllReduce(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  const int64_t operand = ctx.op() == "CollectiveReduceV3" ? 2 : 1;
  return ctx.Result(ctx.builder().AllReduce(x, GroupSize(ctx, operand)));
}

// x with its dim 0 from all cores of the group.
absl::Status AllGather(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t group, StatedGroupSize(ctx, 1));
  if (group == 1) {
    return ctx.Result(x);
  }
  return ctx.Result(ctx.builder().AllGather(x, 0, group));
}

absl::Status ReduceScatter(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t group, StatedGroupSize(ctx, 1));
  int64_t dim = 0;
  if (ctx.op() == "XlaReduceScatter") {
    TW_ASSIGN_OR_RETURN(dim, KnownSingle(ctx, 2, "scatter_dimension"));
  }
  TW_ASSIGN_OR_RETURN(dim, NormalAxis(dim, ctx.builder().shape(x).rank()));
  return ctx.Result(group == 1 ? x : ctx.builder().ReduceScatter(x, dim, group));
}

absl::Status AllToAll(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  const int64_t rank = ctx.builder().shape(x).rank();
  TW_ASSIGN_OR_RETURN(const int64_t split, NormalAxis(ctx.Int("split_dimension", 0), rank));
  TW_ASSIGN_OR_RETURN(const int64_t concat, NormalAxis(ctx.Int("concat_dimension", 0), rank));
  int64_t group = ctx.Int("split_count", 0);
  if (group < 1) {
    TW_ASSIGN_OR_RETURN(group, StatedGroupSize(ctx, 1));
  }
  return ctx.Result(group == 1 ? x : ctx.builder().AllToAll(x, split, concat, group));
}

// Pairs of source and target: the way that the first one goes.
absl::Status CollectivePermute(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const auto pairs, KnownList(ctx, 1, "pairs"));
  const auto group = static_cast<int64_t>(pairs.size() / 2);
  if (group < 2) {
    return ctx.Result(x);
  }
  const int64_t apart = pairs[1] - pairs[0];
  const int64_t shift = ((apart % group) + group) % group;
  return ctx.Result(shift == 0 ? x : ctx.builder().CollectivePermute(x, shift, group));
}

// What one core sends to all others: a sum in which theirs are zeros.
absl::Status Broadcast(OpContext& ctx) {
  return ctx.Result(ctx.builder().AllReduce(ctx.Input(0), 0));
}

absl::Status ReplicaId(OpContext& ctx) { return ctx.Result(ctx.builder().PartitionId(0, {})); }

constexpr OpEntry kCollectiveOps[] = {
    {"AllToAll", AllToAll},
    {"CollectiveAllToAllV2", AllToAll},
    {"CollectiveAllToAllV3", AllToAll},
    {"CollectiveBcastSend", Broadcast},
    {"CollectiveBcastSendV2", Broadcast},
    {"CollectiveGather", AllGather},
    {"CollectiveGatherV2", AllGather},
    {"CollectivePermute", CollectivePermute},
    {"CollectiveReduce", AllReduce},
    {"CollectiveReduceScatterV2", ReduceScatter},
    {"CollectiveReduceV2", AllReduce},
    {"CollectiveReduceV3", AllReduce},
    {"CrossReplicaSum", AllReduce},
    {"HorovodAllgather", AllGather},
    {"HorovodAllreduce", AllReduce},
    {"HorovodBroadcast", Broadcast},
    {"NcclAllReduce", AllReduce},
    {"NcclBroadcast", Broadcast},
    {"XlaAllReduce", AllReduce},
    {"XlaReduceScatter", ReduceScatter},
    {"XlaReplicaId", ReplicaId},
};

}  // namespace

std::span<const OpEntry> CollectiveOps() { return kCollectiveOps; }

}  // namespace tilewise::tf
