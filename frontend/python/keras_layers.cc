// Layers: constructor arguments become the layer's config, and calling a layer
// on tensors records the call.

#include "frontend/python/keras_layers.h"

#include <fmt/format.h>

#include "frontend/keras/layer_arguments.h"
#include "frontend/python/array_calls.h"
#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

// Arguments that do not change what a layer costs.
bool IsCostless(std::string_view argument) {
  return argument.ends_with("_initializer") || argument.ends_with("_regularizer") ||
         argument.ends_with("_constraint") || argument == "seed" || argument == "rate" ||
         argument == "trainable" || argument == "name" || argument == "weights" ||
         argument == "momentum" || argument == "epsilon" || argument == "mask" ||
         argument == "arguments" || argument == "renorm" || argument == "function" ||
         argument == "implementation";
}

void AddArgument(Interpreter& in, const Call& call, const std::string& key, const Value& value,
                 Node at, const std::string& class_name, nlohmann::json& config,
                 std::string& unresolved) {
  if (key == "dtype") {
    const std::string dtype = DTypeOf(value);
    if (!dtype.empty()) config[key] = dtype;
    return;
  }
  std::optional<nlohmann::json> json = ToJson(in, value);
  if (json.has_value()) {
    config[key] = std::move(*json);
    return;
  }
  if (IsCostless(key)) return;
  if (value.unknown() == nullptr && key == "activation") {
    // An own function: counted like the cheapest activation.
    in.Note("RD002", at.location(),
            fmt::format("activation of {} is a function of the script; it is "
                        "not costed",
                        class_name));
    return;
  }
  in.NoteUnknown(fmt::format("argument {} of {}", key, class_name), value, at,
                 "a model with this layer cannot be costed; write "
                 "model.to_json() to a file and give that file too");
  unresolved = fmt::format("{} of {} at line {} is not known", key, class_name, call.location.line);
}

}  // namespace

Value MakeLayer(Interpreter& in, std::string class_name, const Call& call) {
  in.Charge(Interpreter::kLayerUnits);
  class_name = CanonicalLayerClass(class_name);
  nlohmann::json config = nlohmann::json::object();
  std::string unresolved;
  const std::span<const std::string_view> names = PositionalArguments(class_name);
  const std::vector<Value>& positional = call.arguments.positional;
  for (size_t i = 0; i < positional.size() && i < names.size(); ++i) {
    AddArgument(in, call, std::string(names[i]), positional[i], call.argument_node(i, ""),
                class_name, config, unresolved);
  }
  const bool known = IsKerasLayer(class_name);
  for (const auto& [key, value] : call.arguments.keyword) {
    if (!known && !ToJson(in, value).has_value()) continue;
    AddArgument(in, call, key, value, call.argument_node(99, key), class_name, config, unresolved);
  }
  if (call.open && known) {
    unresolved =
        fmt::format("the arguments of {} at line {} are not known", class_name, call.location.line);
    in.Note("RD002", call.location,
            fmt::format("cannot resolve the * or ** arguments of {}; a model "
                        "with this layer cannot be costed",
                        class_name));
  }
  if (in.facts.precision_policy.has_value() && !config.contains("dtype")) {
    config["dtype"] = *in.facts.precision_policy;
  }
  ModernizeLayer(class_name, config);
  const int32_t index = in.keras.AddLayer(class_name, std::move(config), call.location);
  if (!unresolved.empty()) in.keras.unresolved[index] = unresolved;
  return {LayerRef{index}};
}

namespace {

Value MakeInput(Interpreter& in, const Call& call) {
  const bool layer = LastPart(call.name) == "InputLayer";
  const Value* shape = call.arguments.Get(0, layer ? "input_shape" : "shape");
  if (shape == nullptr && layer) shape = call.arguments.Keyword("shape");
  bool with_batch = false;
  for (const char* key : {"batch_shape", "batch_input_shape"}) {
    if (const Value* given = call.arguments.Keyword(key)) {
      shape = given;
      with_batch = true;
    }
  }
  std::vector<int64_t> dims;
  const std::vector<Value>* items = shape == nullptr ? nullptr : Items(*shape);
  if (items == nullptr) {
    const Value missing{None{}};
    const Value& found = shape == nullptr ? missing : *shape;
    in.NoteUnknown("the shape of an input", found, call.argument_node(0, "shape"),
                   "a model with this input cannot be costed");
    return in.MakeUnknown("the shape of the input is not known", call.node);
  }
  for (size_t i = with_batch ? 1 : 0; i < items->size(); ++i) {
    const Value& dim = (*items)[i];
    if (!AsInt(dim).has_value() && !dim.none()) {
      in.NoteUnknown("a dim of an input", dim, call.argument_node(0, "shape"),
                     "a model with this input cannot be costed");
    }
    dims.push_back(AsInt(dim).value_or(-1));
  }
  const Value* dtype = call.arguments.Keyword("dtype");
  const Value* name = call.arguments.Keyword("name");
  const std::string* text = name == nullptr ? nullptr : name->as<std::string>();
  in.Charge(Interpreter::kLayerUnits);
  return {in.keras.AddInput(dims, dtype == nullptr ? "" : DTypeOf(*dtype),
                            text == nullptr ? "" : *text, call.location)};
}

// The lower-case merge functions: keras.layers.add([x, y]).
constexpr std::pair<std::string_view, std::string_view> kMergeFunctions[] = {
    {"add", "Add"},
    {"subtract", "Subtract"},
    {"multiply", "Multiply"},
    {"average", "Average"},
    {"maximum", "Maximum"},
    {"minimum", "Minimum"},
    {"concatenate", "Concatenate"},
    {"dot", "Dot"},
};

}  // namespace

std::optional<Value> CallKerasLayer(Interpreter& in, const Call& call) {
  const std::string class_name(LastPart(call.name));
  if (call.name == "tensorflow.keras.Input" || call.name == "tensorflow.keras.layers.Input" ||
      call.name == "tensorflow.keras.layers.InputLayer" ||
      call.name == "tensorflow.keras.engine.Input") {
    return MakeInput(in, call);
  }
  const bool addon = Under(call.name, "tensorflow_addons.layers");
  if (!Under(call.name, "tensorflow.keras.layers") && !addon) return {};
  for (const auto& [function, layer] : kMergeFunctions) {
    if (class_name != function || call.arguments.positional.empty()) continue;
    Call make = call, apply = call;
    make.arguments.positional.clear();
    apply.arguments = {{call.arguments.positional[0]}, {}};
    const Value made = MakeLayer(in, std::string(layer), make);
    return ApplyLayer(in, made.as<LayerRef>()->layer, apply);
  }
  if (class_name.empty() || std::islower(class_name[0]) != 0) return {};
  return MakeLayer(in, class_name, call);
}

std::optional<std::vector<KerasTensor>> TensorsOf(const Value& value) {
  if (const KerasTensor* tensor = value.as<KerasTensor>()) return {{*tensor}};
  std::vector<KerasTensor> result;
  const auto take = [&result](const Value& item) {
    const KerasTensor* tensor = item.as<KerasTensor>();
    if (tensor != nullptr) result.push_back(*tensor);
    return tensor != nullptr;
  };
  if (const std::vector<Value>* items = Items(value)) {
    for (const Value& item : *items) {
      if (!take(item)) return std::nullopt;
    }
  } else if (const Dict* dict = value.ref<Dict>()) {
    for (const auto& [key, item] : dict->items) {
      if (!take(item)) return std::nullopt;
    }
  }
  if (result.empty()) return std::nullopt;
  return result;
}

Value ApplyLayer(Interpreter& in, int32_t layer, const Call& call) {
  std::vector<KerasTensor> inputs;
  for (const Value& argument : call.arguments.positional) {
    const auto tensors = TensorsOf(argument);
    if (tensors.has_value()) {
      inputs.insert(inputs.end(), tensors->begin(), tensors->end());
    } else if (inputs.empty()) {
      if (argument.unknown() != nullptr) return argument;
      const std::vector<Value>* parts = Items(argument);
      for (size_t i = 0; parts != nullptr && i < parts->size(); ++i) {
        if ((*parts)[i].unknown() != nullptr) return (*parts)[i];
      }
      return in.MakeUnknown(fmt::format("a layer is called on a {}", TypeName(argument)),
                            call.node);
    }
  }
  nlohmann::json kwargs = nlohmann::json::object();
  for (const auto& [key, value] : call.arguments.keyword) {
    const auto tensors = TensorsOf(value);
    if (tensors.has_value()) {
      inputs.insert(inputs.end(), tensors->begin(), tensors->end());
    } else if (auto json = ToJson(in, value)) {
      kwargs[key] = *json;
    }
  }
  if (inputs.empty()) {
    return in.MakeUnknown("a layer is called without a tensor", call.node);
  }
  const nlohmann::json& config = in.keras.layer(layer).config;
  const bool states = config.value("return_state", nlohmann::json()) == true;
  const bool lstm = in.keras.layer(layer).class_name == "LSTM";
  in.Charge(Interpreter::kCallUnits);
  const KerasTensor result =
      in.keras.AddCall(layer, std::move(inputs), std::move(kwargs), call.location);
  if (!states) return {result};
  const int32_t count = lstm ? 3 : 2;
  std::vector<Value> results;
  results.reserve(count);
  for (int32_t i = 0; i < count; ++i) {
    results.push_back({KerasTensor{result.layer, result.call, i}});
  }
  return in.MakeList(std::move(results));
}

std::optional<std::vector<int64_t>> TensorShape(Interpreter& in, KerasTensor tensor) {
  const KerasModel model = in.keras.Cut("shape", {}, {tensor});
  if (!in.Charge(100 * static_cast<int64_t>(model.layers.size()))) return {};
  for (const auto& [layer, reason] : in.keras.unresolved) {
    for (const KerasLayer& used : model.layers) {
      if (used.name == in.keras.layer(layer).name) return std::nullopt;
    }
  }
  const absl::StatusOr<KerasGraph> built = BuildKerasGraph(model, true);
  if (!built.ok() || built->graph.outputs().empty()) return std::nullopt;
  const Op& op = built->graph.op(built->graph.outputs()[0].value);
  std::vector<int64_t> result;
  for (const Dim& dim : op.shape.dims) {
    result.push_back(dim.per_batch ? -1 : dim.factor);
  }
  return result;
}

}  // namespace tilewise::python
