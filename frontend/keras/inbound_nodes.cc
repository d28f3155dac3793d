// Reads inbound nodes. Nesting is bounded by ParseBoundedJson.

#include "frontend/keras/inbound_nodes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "frontend/keras/layer_config.h"

namespace tilewise {
namespace {

using nlohmann::json;

bool IsIndex(const json& value) {
  const auto index = AsInteger(value);
  return index && *index >= 0;
}

// ["conv1", 0, 0, ...].
std::optional<TensorName> AsTensor(const json& value) {
  if (!value.is_array() || value.size() < 3 || !value[0].is_string() || !IsIndex(value[1]) ||
      !IsIndex(value[2])) {
    return std::nullopt;
  }
  TensorName name;
  name.layer = value[0].get<std::string>();
  name.call = static_cast<int32_t>(*AsInteger(value[1]));
  name.tensor = static_cast<int32_t>(*AsInteger(value[2]));
  return name;
}

// {"class_name": "__keras_tensor__", "config": {"keras_history": [...]}}.
std::optional<TensorName> AsKeras3Tensor(const json& value) {
  if (!value.is_object() || !value.contains("class_name") ||
      value["class_name"] != "__keras_tensor__" || !value.contains("config")) {
    return std::nullopt;
  }
  const json& config = value["config"];
  if (!config.is_object() || !config.contains("keras_history")) {
    return std::nullopt;
  }
  std::optional<TensorName> name = AsTensor(config["keras_history"]);
  if (name && config.contains("shape")) name->shape = config["shape"];
  return name;
}

// Collects all tensors in a value, in order.
void CollectTensors(const json& value, std::vector<TensorName>& found) {
  std::optional<TensorName> tensor = AsTensor(value);
  if (!tensor) tensor = AsKeras3Tensor(value);
  if (tensor) {
    found.push_back(*std::move(tensor));
    return;
  }
  if (!value.is_array() && !value.is_object()) return;
  for (const json& item : value) CollectTensors(item, found);
}

int KeywordOrder(std::string_view name) {
  constexpr std::array<std::string_view, 5> kFirst = {"inputs", "query", "value", "key",
                                                      "initial_state"};
  const auto* found = std::find(kFirst.begin(), kFirst.end(), name);
  return static_cast<int>(found - kFirst.begin());
}

void ReadKeywords(const json& keywords, InboundCall& call) {
  if (!keywords.is_object()) return;
  std::vector<std::string> tensor_names;
  for (const auto& [name, value] : keywords.items()) {
    std::vector<TensorName> tensors;
    CollectTensors(value, tensors);
    if (tensors.empty()) {
      call.kwargs[name] = value;
    } else if (name.find("mask") == std::string::npos) {
      tensor_names.push_back(name);
    }
  }
  std::stable_sort(
      tensor_names.begin(), tensor_names.end(),
      [](const std::string& a, const std::string& b) { return KeywordOrder(a) < KeywordOrder(b); });
  for (const std::string& name : tensor_names) {
    CollectTensors(keywords[name], call.inputs);
  }
}

absl::Status ReadKeras2Tensor(const json& item, InboundCall& call) {
  // A number among the tensors of a function call.
  if (item.is_array() && item.size() >= 3 && item[0] == "_CONSTANT_VALUE") {
    call.kwargs["args"].push_back(item[2]);
    if (item.size() > 3) ReadKeywords(item[3], call);
    return absl::OkStatus();
  }
  const std::optional<TensorName> tensor = AsTensor(item);
  if (!tensor) {
    return InvalidInput(fmt::format("inbound node holds {}, expected [layer name, call, tensor]",
                                    DescribeJson(item)));
  }
  call.inputs.push_back(*tensor);
  if (item.size() > 3) ReadKeywords(item[3], call);
  return absl::OkStatus();
}

absl::StatusOr<InboundCall> ReadKeras3Call(const json& node) {
  InboundCall call;
  const json args = node.value("args", json::array());
  if (!args.is_array()) {
    return InvalidInput(
        fmt::format("args of an inbound node is {}, expected a "
                    "list",
                    DescribeJson(args)));
  }
  for (const json& argument : args) {
    const size_t before = call.inputs.size();
    CollectTensors(argument, call.inputs);
    if (call.inputs.size() == before) call.kwargs["args"].push_back(argument);
  }
  ReadKeywords(node.value("kwargs", json::object()), call);
  return call;
}

}  // namespace

absl::StatusOr<InboundCall> ReadInboundCall(const json& node) {
  if (node.is_object()) return ReadKeras3Call(node);
  if (!node.is_array()) {
    return InvalidInput(
        fmt::format("inbound node is {}, expected a list of tensors", DescribeJson(node)));
  }
  InboundCall call;
  if (!node.empty() && node[0].is_string()) {
    TW_RETURN_IF_ERROR(ReadKeras2Tensor(node, call));
    return call;
  }
  for (const json& item : node) {
    TW_RETURN_IF_ERROR(ReadKeras2Tensor(item, call));
  }
  return call;
}

absl::StatusOr<std::vector<TensorName>> ReadTensorNames(const json& value) {
  std::vector<TensorName> names;
  CollectTensors(value, names);
  if (!names.empty()) return names;
  return InvalidInput(
      fmt::format("found {}, expected [layer name, call, tensor] or a list of "
                  "them",
                  DescribeJson(value)));
}

}  // namespace tilewise
