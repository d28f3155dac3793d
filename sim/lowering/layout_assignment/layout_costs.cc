// Layout preferences of the ops. What an op does not accept costs a copy, and
// the padding of the order that the op takes instead; fixed times and a reduce
// over lanes cost the bytes that HBM could have moved in that time.

#include "sim/lowering/layout_assignment/layout_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/lowering/kernels/attention.h"
#include "sim/lowering/kernels/reduce.h"
#include "sim/lowering/layout.h"

namespace tilewise {
namespace {

// The order against the batch-64 rule must save this share of the bytes.
constexpr double kConvRuleWeight = 0.15;
bool IsConv(OpKind kind) {
  return kind == OpKind::kConvolution || kind == OpKind::kConvInputGrad ||
         kind == OpKind::kConvKernelGrad;
}

int64_t FeatureDim(const Op& conv, int64_t rank) {
  return conv.attrs->channels_first ? 1 : rank - 1;
}

// The two minor dims of `order` are `a` and `b`, in either order.
bool Tiles(const DimOrder& order, int64_t a, int64_t b) {
  return (order[0] == a && order[1] == b) || (order[0] == b && order[1] == a);
}

bool TilesNone(const DimOrder& order, const std::vector<int64_t>& dims) {
  for (size_t i = 0; i < 2 && i < order.size(); ++i) {
    if (std::find(dims.begin(), dims.end(), order[i]) != dims.end()) {
      return false;
    }
  }
  return true;
}

bool TilesOneOf(const DimOrder& order, const std::vector<int64_t>& dims) {
  return dims.empty() || !TilesNone(order, dims);
}

bool AcceptsConvValue(const Op& conv, const DimOrder& order, bool is_kernel) {
  const auto rank = static_cast<int64_t>(order.size());
  if (is_kernel) return Tiles(order, rank - 1, rank - 2);
  return Tiles(order, 0, FeatureDim(conv, rank));
}

bool IsWindow(OpKind kind) {
  return kind == OpKind::kReduceWindow || kind == OpKind::kSelectAndScatter;
}

bool IsKernelOperand(const Op& conv, size_t index) {
  return index == 1 && conv.kind != OpKind::kConvKernelGrad;
}

}  // namespace

int64_t MostCommonConvBatch(const Graph& graph,
                            const std::vector<double>& counts) {
  std::map<int64_t, double> count;
  for (const Op& op : graph.ops()) {
    if (!IsConv(op.kind)) continue;
    count[graph.operand(op, 0).shape.size(0)] +=
        counts[static_cast<size_t>(op.id)];
  }
  int64_t best = 0;
  double most = 0;
  for (const auto& [batch, number] : count) {
    if (number <= most) continue;
    most = number;
    best = batch;
  }
  return best;
}

bool AcceptsOperand(const Op& user, size_t index, const DimOrder& order) {
  if (order.size() < 2) return true;
  if (IsConv(user.kind)) {
    return AcceptsConvValue(user, order, IsKernelOperand(user, index));
  }
  if (IsWindow(user.kind)) return AcceptsConvValue(user, order, false);
  const auto rank = static_cast<int64_t>(order.size());
  switch (user.kind) {
    case OpKind::kDot: {
      const DotDims& dot = user.attrs->dot;
      if (rank < 3) return true;
      return TilesNone(order, index == 0 ? dot.lhs_batch : dot.rhs_batch) &&
             TilesOneOf(order,
                        index == 0 ? dot.lhs_contract : dot.rhs_contract);
    }
    case OpKind::kRecurrent:
    case OpKind::kRecurrentGrad:  // steps of [batch, units], time major
      return rank != 3 || order == TiledOrder(rank, 2, 0);
    case OpKind::kFlashAttention:
    case OpKind::kFlashAttentionGrad:  // rows of one head: [positions, depth]
      if (index == MaskOperand(user)) return order == LogicalOrder(rank);
      return rank != 4 || order == TiledOrder(rank, 3, 1);
    case OpKind::kGather:  // rows must be contiguous
      return index != 0 || order[0] == rank - 1;
    case OpKind::kScatterAdd:
      return index != 1 || order[0] == rank - 1;
    case OpKind::kOpaque:
      return order == LogicalOrder(rank);
    default:
      return true;
  }
}

bool AcceptsResult(const Op& op, const DimOrder& order) {
  if (order.size() < 2) return true;
  if (IsConv(op.kind)) {
    return AcceptsConvValue(op, order, op.kind == OpKind::kConvKernelGrad);
  }
  if (IsWindow(op.kind)) return AcceptsConvValue(op, order, false);
  const auto rank = static_cast<int64_t>(order.size());
  switch (op.kind) {
    case OpKind::kDot:
      for (size_t i = 0; i < op.attrs->dot->lhs_batch.size(); ++i) {
        if (!TilesNone(order, {static_cast<int64_t>(i)})) return rank < 3;
      }
      return true;
    case OpKind::kRecurrent:
    case OpKind::kRecurrentGrad:
    case OpKind::kFlashAttention:
    case OpKind::kFlashAttentionGrad:
    case OpKind::kOpaque:
      return AcceptsOperand(op, 0, order);
    case OpKind::kGather:
    case OpKind::kScatterAdd:
      return order[0] == rank - 1;
    default:
      return true;
  }
}

double LayoutCosts::OfDetour(const Shape& shape, double bytes,
                             const Acceptance& accepts) const {
  if (bytes == 0) return OfCopy(0);
  double least = std::numeric_limits<double>::infinity();
  for (const DimOrder& order : CandidateOrders(shape.rank())) {
    if (!accepts(order)) continue;
    const Bytes padded =
        PaddedBytes(shape, MakeLayout(shape, order, chip), chip);
    least = std::min(least, static_cast<double>(padded.value));
  }
  if (!std::isfinite(least)) least = bytes;  // of none that is considered
  return OfCopy(std::max(2 * least, least + bytes));
}

double LayoutCosts::OfConvRule(const Op& conv, const DimOrder& order,
                               double bytes) const {
  const auto rank = static_cast<int64_t>(order.size());
  if (rank < 2) return 0;
  const int64_t lanes = batch_in_lanes ? 0 : FeatureDim(conv, rank);
  return order[0] == lanes ? 0 : kConvRuleWeight * bytes;
}

double LayoutCosts::OfCopy(double moved) const {
  const Seconds fixed = chip.kernel_overhead + chip.dma_latency * 2;
  return moved + fixed.value * chip.hbm_bandwidth.value;
}

double LayoutCosts::OfUse(const Op& user, size_t index, const DimOrder& order,
                          double bytes) const {
  const Shape& shape = graph.operand(user, static_cast<int>(index)).shape;
  if (!AcceptsOperand(user, index, order)) {
    return OfDetour(shape, bytes, [&](const DimOrder& other) {
      return AcceptsOperand(user, index, other);
    });
  }
  // The kernel gradient wants the reverse order, but its swap is free.
  if (IsConv(user.kind) && user.kind != OpKind::kConvKernelGrad &&
      !IsKernelOperand(user, index)) {
    return OfConvRule(user, order, bytes);
  }
  if (ClassOf(user.kind) != OpClass::kReduce) return 0;
  const VectorWork work =
      ReduceWork(shape, MakeLayout(shape, order, chip), user.attrs->dims, chip);
  const double cycles = work.cross_lane * chip.cross_lane_cycles;
  return cycles * chip.hbm_bandwidth.value / chip.clock_hz;
}

// Its one user takes the value as it is made.
bool LayoutCosts::IsWithinKernel(const Op& op) const {
  const OpClass its_class = ClassOf(op.kind);
  if (its_class != OpClass::kElementwise && its_class != OpClass::kMxu) {
    return false;
  }
  const auto users = graph.users(op.id);
  if (users.size() != 1) return false;
  const Op& user = graph.op(users[0]);
  return ClassOf(user.kind) == OpClass::kElementwise && user.phase == op.phase;
}

double LayoutCosts::Of(const Op& op, const DimOrder& order,
                       Bytes padded) const {
  const bool is_virtual = op.kind == OpKind::kConstant ||
                          op.kind == OpKind::kIota ||
                          op.kind == OpKind::kBroadcast;
  const double bytes = is_virtual ? 0 : static_cast<double>(padded.value);
  double cost = IsWithinKernel(op) ? 0 : bytes;
  if (!AcceptsResult(op, order)) {
    cost += OfDetour(op.shape, bytes, [&](const DimOrder& other) {
      return AcceptsResult(op, other);
    });
  }
  if (op.kind == OpKind::kConvolution || op.kind == OpKind::kConvInputGrad) {
    cost += OfConvRule(op, order, bytes);
  }
  cost *= counts[static_cast<size_t>(op.id)];
  for (const OpId id : graph.users(op.id)) {
    const Op& user = graph.op(id);
    for (size_t i = 0; i < user.operands.size(); ++i) {
      if (user.operands[i] != op.id) continue;
      cost += counts[static_cast<size_t>(id)] * OfUse(user, i, order, bytes);
    }
  }
  return cost;
}

}  // namespace tilewise
