// Conditions are comparisons joined by LogicalAnd; counters start at a known
// number and change by a constant.

#include "frontend/tensorflow/trip_count.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "frontend/tensorflow/loop_frames.h"

namespace tilewise::tf {
namespace {

constexpr int kMaxCounterChain = 1000;
constexpr size_t kMaxCounterParts = 64;
// "No limit", as maximum_iterations has it.
constexpr double kNoLimit = 2147483647.0;
constexpr double kMaxTrips = 1e9;

// Trips while `value + k * step` `op` `limit` holds for k = 0, 1...
std::optional<double> Trips(std::string_view op, double value, double step,
                            double limit) {
  const double distance = (limit - value) / step;
  if (op == "Less" || op == "Greater" || op == "NotEqual") {
    if ((op == "Less" && step < 0) || (op == "Greater" && step > 0)) {
      return std::nullopt;
    }
    return std::max(0.0, std::ceil(distance));
  }
  if ((op == "LessEqual" && step < 0) || (op == "GreaterEqual" && step > 0)) {
    return std::nullopt;
  }
  return std::max(0.0, std::floor(distance) + 1);
}

std::string_view Mirrored(std::string_view op) {
  if (op == "Less") return "Greater";
  if (op == "Greater") return "Less";
  if (op == "LessEqual") return "GreaterEqual";
  if (op == "GreaterEqual") return "LessEqual";
  return op;
}

bool IsComparison(std::string_view op) {
  return op == "Less" || op == "LessEqual" || op == "Greater" ||
         op == "GreaterEqual" || op == "NotEqual";
}

// Of one comparison; nullopt: not known. Infinity: it never ends the loop.
std::optional<double> TripsOf(const GraphIndex& index, int32_t node,
                              const LoopQuery& query) {
  const std::span<const Edge> inputs = index.inputs(node);
  if (inputs.size() != 2) return std::nullopt;
  std::string_view op = index.node(node).op;
  int variable = query.variable(inputs[0]);
  Edge limit_edge = inputs[1];
  if (variable < 0) {
    variable = query.variable(inputs[1]);
    limit_edge = inputs[0];
    op = Mirrored(op);
  }
  if (variable < 0) return std::nullopt;
  const std::optional<double> initial = query.initial(variable);
  const std::optional<double> step = query.step(variable);
  const std::optional<double> limit = query.invariant(limit_edge);
  if (limit && op.starts_with("Less") && *limit >= kNoLimit) return HUGE_VAL;
  if (!initial || !step || !limit || *step == 0) return std::nullopt;
  return Trips(op, *initial, *step, *limit);
}

}  // namespace

Edge ThroughIdentities(const GraphIndex& index, Edge edge) {
  for (int i = 0; i < kMaxCounterChain; ++i) {
    if (edge.node < 0 || index.IsArgument(edge.node)) return edge;
    const std::string_view op = index.node(edge.node).op;
    const std::span<const Edge> inputs = index.inputs(edge.node);
    const bool hands_on = IsIdentity(op) || op == "Cast" || op == "LoopCond" ||
                          op == "ToBool" || op == "Squeeze";
    if (!hands_on || inputs.empty()) return edge;
    edge = inputs[0];
  }
  return edge;
}

std::optional<TripCount> FindTrips(const GraphIndex& index, Edge condition,
                                   const LoopQuery& query) {
  std::vector<Edge> parts = {condition};
  std::optional<double> least;
  bool all = true;
  for (size_t i = 0; i < parts.size() && i < kMaxCounterParts; ++i) {
    const Edge edge = ThroughIdentities(index, parts[i]);
    if (edge.node < 0 || index.IsArgument(edge.node)) {
      all = false;
      continue;
    }
    const std::string_view op = index.node(edge.node).op;
    if (op == "LogicalAnd") {
      for (const Edge& part : index.inputs(edge.node)) parts.push_back(part);
      continue;
    }
    std::optional<double> trips;
    if (IsComparison(op)) trips = TripsOf(index, edge.node, query);
    if (!trips) {
      all = false;
    } else if (std::isfinite(*trips) && (!least || *trips < *least)) {
      least = trips;
    }
  }
  if (!least || *least > kMaxTrips) return std::nullopt;
  return TripCount{static_cast<int64_t>(*least), !all};
}

}  // namespace tilewise::tf
