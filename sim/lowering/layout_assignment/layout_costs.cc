// Layout preferences of the ops. What an op does not accept costs a copy, and
// the padding of the order that the op takes instead; fixed times and a reduce
// over lanes cost the bytes that HBM could have moved in that time.

#include "sim/lowering/layout_assignment/layout_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/lowering/kernels/reduce.h"
#include "sim/lowering/kernels/unit_time.h"
#include "sim/lowering/layout.h"
#include "sim/lowering/lowering_traits.h"

namespace tilewise {
namespace {

// The order against the batch-64 rule must save this share of the bytes.
constexpr double kConvRuleWeight = 0.15;
// A sum at the end of a dot's kernel runs beside its MXUs: of equal bytes the
// order that is cheaper to sum is still the better one.
constexpr double kBesideMxus = 0.25;

using ConvRule = LoweringTraits::ConvRule;
ConvRule ConvRuleOf(const Op& op) { return LoweringTraitsOf(op.kind).conv_rule; }

int64_t FeatureDim(const Op& conv, int64_t rank) {
  return conv.as<ConvAttrs>().channels_first ? 1 : rank - 1;
}

}  // namespace

int64_t MostCommonConvBatch(const Graph& graph, const std::vector<double>& counts) {
  std::map<int64_t, double> count;
  for (const Op& op : graph.ops()) {
    if (ConvRuleOf(op) == ConvRule::kNone) continue;
    count[graph.operand(op, 0).shape.size(0)] += counts[op.id];
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
  const auto accepts = LoweringTraitsOf(user.kind).accepts_operand;
  return order.size() < 2 || accepts == nullptr || accepts(user, index, order);
}

bool AcceptsResult(const Graph& graph, const Op& op, const DimOrder& order) {
  const auto accepts = LoweringTraitsOf(op.kind).accepts_result;
  return order.size() < 2 || accepts == nullptr || accepts(graph, op, order);
}

double LayoutCosts::OfDetour(const Shape& shape, double bytes, const Acceptance& accepts) const {
  if (bytes == 0) return OfCopy(0);
  double least = std::numeric_limits<double>::infinity();
  for (const DimOrder& order : CandidateOrders(shape.rank())) {
    if (!accepts(order)) continue;
    const Bytes padded = PaddedBytes(shape, MakeLayout(shape, order, chip), chip);
    least = std::min(least, static_cast<double>(padded.value));
  }
  if (!std::isfinite(least)) least = bytes;  // of none that is considered
  return OfCopy(std::max(2 * least, least + bytes));
}

double LayoutCosts::OfConvRule(const Op& conv, const DimOrder& order, double bytes) const {
  const auto rank = static_cast<int64_t>(order.size());
  if (rank < 2) return 0;
  const int64_t lanes = batch_in_lanes ? 0 : FeatureDim(conv, rank);
  return order[0] == lanes ? 0 : kConvRuleWeight * bytes;
}

double LayoutCosts::OfCopy(double moved) const {
  const Seconds fixed = chip.kernel_overhead + chip.dma_latency * 2;
  return moved + fixed.value * chip.hbm_bandwidth.value;
}

double LayoutCosts::OfUse(const Op& user, size_t index, const DimOrder& order, double bytes) const {
  const Shape& shape = graph.operand(user, static_cast<int>(index)).shape;
  if (!AcceptsOperand(user, index, order)) {
    return OfDetour(shape, bytes,
                    [&](const DimOrder& other) { return AcceptsOperand(user, index, other); });
  }
  if (ConvRuleOf(user) == ConvRule::kFollows && index == 0) return OfConvRule(user, order, bytes);
  if (ClassOf(user.kind) != OpClass::kReduce) return 0;
  const VectorWork work =
      ReduceWork(shape, MakeLayout(shape, order, chip), user.as<ReduceAttrs>().dims, chip);
  // What is made where it is used hides its other work behind no transfer.
  const double cycles = work.cross_lane * chip.cross_lane_cycles;
  const double share = graph.operand(user, 0).kind == OpKind::kDot ? kBesideMxus : 1;
  const double seconds = bytes == 0 ? VectorTime(work, chip).value : cycles / chip.clock_hz;
  return share * seconds * chip.hbm_bandwidth.value;
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

double LayoutCosts::Of(const Op& op, const DimOrder& order, Bytes padded) const {
  const double bytes =
      LoweringTraitsOf(op.kind).is_made_where_used ? 0 : static_cast<double>(padded.value);
  double cost = IsWithinKernel(op) ? 0 : bytes;
  if (!AcceptsResult(graph, op, order)) {
    cost += OfDetour(op.shape, bytes,
                     [&](const DimOrder& other) { return AcceptsResult(graph, op, other); });
  }
  if (ConvRuleOf(op) == ConvRule::kFollows) cost += OfConvRule(op, order, bytes);
  cost *= counts[op.id];
  for (const OpId id : graph.users(op.id)) {
    const Op& user = graph.op(id);
    for (size_t i = 0; i < user.operands.size(); ++i) {
      if (user.operands[i] != op.id) continue;
      cost += counts[id] * OfUse(user, i, order, bytes);
    }
  }
  return cost;
}

}  // namespace tilewise
