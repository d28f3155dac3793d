// The calls of a layer as the three Keras generations write them.

#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/status.h"

namespace tilewise {

// ["conv1", 0, 0]: result `tensor` of call `call` of a layer.
struct TensorName {
  std::string layer;
  int32_t call = 0;
  int32_t tensor = 0;
  nlohmann::json shape = {};  // as Keras 3 states it; null: not stated
};

struct InboundCall {
  // Positional tensors, then those given by keyword: query, value, key,
  // initial_state, then others by name. Masks are left out.
  std::vector<TensorName> inputs;
  // The other keyword arguments; positional ones that are not tensors stand in
  // "args".
  nlohmann::json kwargs = nlohmann::json::object();
};

// One element of "inbound_nodes":
//   Keras 1:  [["conv1", 0, 0], ...]
//   Keras 2:  [["conv1", 0, 0, {keywords}], ...] or ["conv1", 0, 0, {keywords}]
//   Keras 3:  {"args": [...], "kwargs": {...}} with __keras_tensor__ objects
absl::StatusOr<InboundCall> ReadInboundCall(const nlohmann::json& node);

// "input_layers" and "output_layers": one tensor, or lists or an object of
// them.
absl::StatusOr<std::vector<TensorName>> ReadTensorNames(const nlohmann::json& value);

}  // namespace tilewise
