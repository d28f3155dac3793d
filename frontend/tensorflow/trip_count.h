// How often a loop runs, from what its condition compares and what its body
// changes.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "frontend/tensorflow/graph_index.h"
#include "library/value.h"

namespace tilewise::tf {

// What the loop around a condition tells of it.
struct LoopQuery {
  // The variable of the loop that an edge of the condition is; -1: none.
  std::function<int(Edge)> variable;
  // The number at an edge of the condition that no variable changes.
  std::function<std::optional<double>(Edge)> invariant;
  // A variable's first value, and what one iteration adds to it.
  std::function<std::optional<double>(int)> initial;
  std::function<std::optional<double>(int)> step;
};

struct TripCount {
  int64_t trip_count = 0;
  // Other parts of the condition may end the loop before.
  bool is_bound = false;
};

// nullopt: the condition compares no counter with a known limit.
std::optional<TripCount> FindIterations(const GraphIndex& index, Edge condition,
                                        const LoopQuery& query);

// The node an edge comes from, through ops that hand on their operand.
Edge ThroughIdentities(const GraphIndex& index, Edge edge);

std::optional<double> NumberOf(const Value& value);
// The number of a constant node.
std::optional<double> ConstantAt(const GraphIndex& index, Edge edge);

// What the body adds to a variable, when `updated` is variable + constant.
// `is_variable` says whether an edge is the variable in the body, `number_at`
// gives what is known of another.
std::optional<double> StepOf(const GraphIndex& index, Edge updated,
                             const std::function<bool(Edge)>& is_variable,
                             const std::function<std::optional<double>(Edge)>& number_at);

// Whether anything that `edge` is computed from is in `stops`.
bool DependsOn(const GraphIndex& index, Edge edge, const absl::flat_hash_map<int32_t, int>& stops);

}  // namespace tilewise::tf
