// Numbers of loops that can be told before they run.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "frontend/tensorflow/graph_index.h"
#include "frontend/tensorflow/ops/value.h"

namespace tilewise::tf {

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
