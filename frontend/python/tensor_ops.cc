// TensorFlow functions and operators on Keras tensors: each becomes the layer
// that Keras itself would put there.

#include <fmt/format.h>

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

constexpr std::string_view kActivations[] = {
    "relu", "relu6", "sigmoid", "tanh", "softmax",  "softplus",    "elu",
    "selu", "gelu",  "swish",   "silu", "softsign", "log_softmax", "leaky_relu",
};

constexpr std::pair<std::string_view, std::string_view> kMerges[] = {
    {"+", "Add"},           {"-", "Subtract"},        {"*", "Multiply"},
    {"add", "Add"},         {"subtract", "Subtract"}, {"multiply", "Multiply"},
    {"maximum", "Maximum"}, {"minimum", "Minimum"},   {"add_n", "Add"},
};

std::string_view MergeClass(std::string_view name) {
  for (const auto& [function, layer] : kMerges) {
    if (function == name) return layer;
  }
  return {};
}

Value AddOp(Interpreter& in, std::string class_name, nlohmann::json config,
            std::vector<KerasTensor> inputs, nlohmann::json kwargs, const Location& location) {
  in.Charge(Interpreter::kLayerUnits);
  const int32_t layer = in.keras.AddLayer(std::move(class_name), std::move(config), location);
  return {in.keras.AddCall(layer, std::move(inputs), std::move(kwargs), location)};
}

// The op as functional Keras records it: its function name without
// "tensorflow.", constants as keyword arguments.
Value AddOpLambda(Interpreter& in, std::string_view function, std::vector<KerasTensor> inputs,
                  nlohmann::json kwargs, const Location& location) {
  std::string name = fmt::format("tf.{}", function);
  const std::string unique = in.keras.AutoName(name);
  return AddOp(in, "TFOpLambda", {{"name", unique}, {"function", std::string(function)}},
               std::move(inputs), std::move(kwargs), location);
}

}  // namespace

std::optional<Value> CallOnTensors(Interpreter& in, const Call& call) {
  if (!Under(call.name, "tensorflow")) return std::nullopt;
  std::vector<KerasTensor> inputs;
  nlohmann::json kwargs = nlohmann::json::object();
  const auto take = [&](const std::string& name, const Value& value) {
    if (const auto tensors = TensorsOf(value)) {
      inputs.insert(inputs.end(), tensors->begin(), tensors->end());
    } else if (auto json = ToJson(in, value)) {
      kwargs[name] = *json;
    }
  };
  constexpr std::string_view kPositions[] = {"x", "y", "z"};
  const std::string_view last = LastPart(call.name);
  const bool reshapes = last == "reshape";
  const bool by_axis =
      last == "concat" || last.starts_with("reduce_") || last == "expand_dims" || last == "squeeze";
  for (size_t i = 0; i < call.arguments.positional.size(); ++i) {
    std::string name(kPositions[std::min<size_t>(i, 2)]);
    if (i == 1 && reshapes) name = "shape";
    if (i == 1 && by_axis) name = "axis";
    if (i == 1 && last == "transpose") name = "perm";
    if (i == 1 && last == "cast") name = "dtype";
    take(name, call.arguments.positional[i]);
  }
  for (const auto& [name, value] : call.arguments.keyword) take(name, value);
  if (inputs.empty()) return std::nullopt;
  for (const std::string_view activation : kActivations) {
    if (last == activation && inputs.size() == 1) {
      return AddOp(in, "Activation", {{"activation", std::string(last)}}, inputs,
                   nlohmann::json::object(), call.location);
    }
  }
  if (last == "concat" && kwargs.contains("axis")) {
    return AddOp(in, "Concatenate", {{"axis", kwargs["axis"]}}, inputs, nlohmann::json::object(),
                 call.location);
  }
  const std::string_view merge = MergeClass(last);
  if (!merge.empty() && inputs.size() >= 2) {
    return AddOp(in, std::string(merge), nlohmann::json::object(), inputs, nlohmann::json::object(),
                 call.location);
  }
  std::string_view function = call.name;
  function.remove_prefix(std::string_view("tensorflow.").size());
  return AddOpLambda(in, function, inputs, kwargs, call.location);
}

std::optional<Value> TensorOperator(Interpreter& in, std::string_view op, const Value& a,
                                    const Value& b, Node at) {
  const KerasTensor *x = a.as<KerasTensor>(), *y = b.as<KerasTensor>();
  if (x == nullptr && y == nullptr) return std::nullopt;
  const std::string_view merge = MergeClass(op);
  if (x != nullptr && y != nullptr && !merge.empty()) {
    return AddOp(in, std::string(merge), nlohmann::json::object(), {*x, *y},
                 nlohmann::json::object(), at.location());
  }
  constexpr std::pair<std::string_view, std::string_view> kFunctions[] = {
      {"+", "math.add"},     {"-", "math.subtract"}, {"*", "math.multiply"},
      {"/", "math.truediv"}, {"**", "math.pow"},     {"@", "linalg.matmul"},
  };
  for (const auto& [sign, function] : kFunctions) {
    if (sign != op) continue;
    nlohmann::json kwargs = nlohmann::json::object();
    std::vector<KerasTensor> inputs;
    if (x != nullptr) inputs.push_back(*x);
    if (y != nullptr) inputs.push_back(*y);
    const std::optional<double> constant = AsNumber(x == nullptr ? a : b);
    if (constant.has_value()) kwargs[x == nullptr ? "x" : "y"] = *constant;
    return AddOpLambda(in, function, inputs, kwargs, at.location());
  }
  return std::nullopt;
}

}  // namespace tilewise::python
