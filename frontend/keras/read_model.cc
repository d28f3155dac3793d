// Reads layers, their calls and nested models. Two layers of one model with
// the same name are an error, for calls refer to layers by name.

#include "frontend/keras/read_model.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "frontend/keras/call_order.h"
#include "frontend/keras/inbound_nodes.h"
#include "frontend/keras/layer_arguments.h"
#include "frontend/keras/layer_config.h"

namespace tilewise {
namespace {

using nlohmann::json;

std::string TextOr(const json& object, const char* key, std::string fallback) {
  const json* found = MemberOf(object, key);
  return found == nullptr || !found->is_string() ? fallback : found->get<std::string>();
}

Location LocationOf(const std::string& name, const ModelSource& source) {
  Location place;
  place.file = source.file;
  place.item = name;
  const auto line = source.name_lines.find(name);
  if (line != source.name_lines.end()) place.line = line->second;
  return place;
}

// The list of layers, wherever this version of Keras puts it.
const json* LayerList(const json& config) {
  if (config.is_array()) return &config;
  const json* layers = MemberOf(config, "layers");
  return layers == nullptr || !layers->is_array() ? nullptr : layers;
}

bool IsSequential(const json& entry) {
  return entry["class_name"] == "Sequential" || entry["config"].is_array();
}

absl::StatusOr<std::shared_ptr<KerasModel>> ReadNested(const json& entry,
                                                       const ModelSource& source) {
  TW_ASSIGN_OR_RETURN(KerasModel model, ReadKerasModel(entry, source));
  return std::make_shared<KerasModel>(std::move(model));
}

// Keras 3 keeps the shape a model was built with beside the configuration.
void TakeBuildShape(const json& entry, json& config) {
  const json* build = MemberOf(entry, "build_config");
  const json* shape = build == nullptr ? nullptr : MemberOf(*build, "input_shape");
  if (shape == nullptr || !config.is_object() || config.contains("batch_input_shape") ||
      config.contains("batch_shape")) {
    return;
  }
  if (shape->is_array() && (shape->empty() || !(*shape)[0].is_array())) {
    config["batch_shape"] = *shape;
  }
}

// The configuration of such a function keeps its class under this key.
constexpr char kOperation[] = "operation";

// A function of keras.ops in a functional model of Keras 3: {"module":
// "keras.src.ops.numpy", "class_name": "ExpandDims"}.
bool IsOperation(const json& entry) {
  const std::string module = TextOr(entry, "module", "");
  return module.starts_with("keras.src.ops") || module.starts_with("keras.ops");
}

// "expand_dims"; "nn.relu" of a module for neural networks.
std::string FunctionOf(const json& entry) {
  const bool is_nn = TextOr(entry, "module", "").ends_with(".nn");
  std::string name = is_nn ? "nn." : "";
  const std::string class_name = TextOr(entry, "class_name", "");
  for (size_t i = 0; i < class_name.size(); ++i) {
    const bool is_upper = class_name[i] >= 'A' && class_name[i] <= 'Z';
    if (is_upper && i > 0) name += '_';
    name += is_upper ? static_cast<char>(class_name[i] - 'A' + 'a') : class_name[i];
  }
  return name;
}

// The settings of an operation are arguments of the function.
void AddSettings(const json& config, json& kwargs) {
  for (const auto& [key, value] : config.items()) {
    if (key == "name" || key == "function" || key == kOperation || kwargs.contains(key)) {
      continue;
    }
    kwargs[key] = value;
  }
}

absl::StatusOr<KerasLayer> ReadLayer(const json& entry, size_t index, const ModelSource& source) {
  const std::string fallback = fmt::format("layer {}", index + 1);
  if (!entry.is_object() || !entry.contains("class_name") || !entry["class_name"].is_string() ||
      !entry.contains("config")) {
    return Annotate(
        InvalidInput(fmt::format("found {}, expected an object with class_name and config",
                                 DescribeJson(entry))),
        LocationText(LocationOf(fallback, source)));
  }
  const json& config = entry["config"];
  KerasLayer layer;
  layer.name = TextOr(entry, "name", "");
  if (layer.name.empty() && config.is_object()) {
    layer.name = TextOr(config, "name", fallback);
  }
  if (layer.name.empty()) layer.name = fallback;
  layer.location = LocationOf(layer.name, source);
  layer.class_name = CanonicalLayerClass(entry["class_name"].get<std::string>());
  if (IsModelEntry(entry)) {
    TW_ASSIGN_OR_RETURN(layer.nested, ReadNested(entry, source));
    return layer;
  }
  if (!config.is_object()) {
    return Annotate(
        InvalidInput(fmt::format("config is {}, expected an object", DescribeJson(config))),
        LocationText(layer.location));
  }
  layer.config = config;
  if (IsOperation(entry)) {
    layer.config["function"] = FunctionOf(entry);
    layer.config[kOperation] = entry["class_name"];
    layer.class_name = "TFOpLambda";
  }
  ModernizeLayer(layer.class_name, layer.config);
  const bool spatial = layer.class_name.ends_with("2D") || layer.class_name.ends_with("3D");
  if (source.channels_first && spatial && !layer.config.contains("data_format")) {
    layer.config["data_format"] = "channels_first";
  }
  if (layer.class_name != "InputLayer") TakeBuildShape(entry, layer.config);
  if (layer.class_name == "TimeDistributed" && config.contains("layer") &&
      IsModelEntry(config["layer"])) {
    TW_ASSIGN_OR_RETURN(layer.nested, ReadNested(config["layer"], source));
  }
  return layer;
}

using LayerIndex = std::map<std::string, int32_t, std::less<>>;

absl::StatusOr<std::vector<KerasTensor>> Resolve(const std::vector<TensorName>& names,
                                                 const LayerIndex& index) {
  std::vector<KerasTensor> tensors;
  for (const TensorName& name : names) {
    const auto found = index.find(name.layer);
    if (found == index.end()) {
      return InvalidInput(fmt::format("takes the result of layer {}, which is not there",
                                      name.layer.substr(0, 100)));
    }
    tensors.push_back({found->second, name.call, name.tensor});
  }
  return tensors;
}

// What the file says of shapes goes to the layers whose results they are.
void KeepStatedShapes(const std::vector<TensorName>& names, const std::vector<KerasTensor>& tensors,
                      KerasModel& model) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].shape.is_null()) continue;
    KerasLayer& producer = model.layers[tensors[i].layer];
    producer.stated[tensors[i].call][tensors[i].output] = names[i].shape;
  }
}

absl::Status ReadCalls(const json& entry, const LayerIndex& index, KerasModel& model,
                       KerasLayer& layer) {
  const auto nodes = entry.find("inbound_nodes");
  if (nodes == entry.end()) return absl::OkStatus();
  if (!nodes->is_array()) {
    return InvalidInput(fmt::format("inbound_nodes is {}, expected a list", DescribeJson(*nodes)));
  }
  for (const json& node : *nodes) {
    TW_ASSIGN_OR_RETURN(const InboundCall inbound, ReadInboundCall(node));
    KerasCall call;
    TW_ASSIGN_OR_RETURN(call.inputs, Resolve(inbound.inputs, index));
    KeepStatedShapes(inbound.inputs, call.inputs, model);
    call.kwargs = inbound.kwargs;
    if (IsOperation(entry)) AddSettings(layer.config, call.kwargs);
    call.location = layer.location;
    layer.calls.push_back(std::move(call));
  }
  return absl::OkStatus();
}

absl::Status ReadEnds(const json& config, const char* key, const LayerIndex& index,
                      std::vector<KerasTensor>& tensors) {
  if (!config.contains(key)) {
    return InvalidInput(fmt::format("{} is missing, expected a list of tensors", key));
  }
  const absl::StatusOr<std::vector<TensorName>> names = ReadTensorNames(config[key]);
  if (!names.ok()) return Annotate(names.status(), key);
  absl::StatusOr<std::vector<KerasTensor>> resolved = Resolve(*names, index);
  if (!resolved.ok()) return Annotate(resolved.status(), key);
  tensors = *std::move(resolved);
  return absl::OkStatus();
}

absl::Status ConnectFunctional(const json& config, const json& entries, const ModelSource& source,
                               KerasModel& model) {
  LayerIndex index;
  for (size_t i = 0; i < model.layers.size(); ++i) {
    const KerasLayer& layer = model.layers[i];
    if (index.try_emplace(layer.name, static_cast<int32_t>(i)).second) continue;
    return Annotate(InvalidInput("two layers have this name, expected one"),
                    LocationText(layer.location));
  }
  for (size_t i = 0; i < model.layers.size(); ++i) {
    KerasLayer& layer = model.layers[i];
    const absl::Status status = ReadCalls(entries[i], index, model, layer);
    if (!status.ok()) return Annotate(status, LocationText(layer.location));
  }
  absl::Status ends = ReadEnds(config, "input_layers", index, model.inputs);
  if (ends.ok()) {
    ends = ReadEnds(config, "output_layers", index, model.outputs);
  }
  return Annotate(ends, source.file);
}

}  // namespace

bool HasChannelsFirstOrdering(const json& value) {
  if (value.is_object()) {
    const auto ordering = value.find("dim_ordering");
    if (ordering != value.end() && *ordering == "th") return true;
  }
  if (!value.is_structured()) return false;
  return std::any_of(value.begin(), value.end(), HasChannelsFirstOrdering);
}

std::string ClassInFile(const KerasLayer& layer) {
  return layer.class_name == "TFOpLambda" ? TextOr(layer.config, kOperation, layer.class_name)
                                          : layer.class_name;
}

bool IsModelEntry(const json& entry) {
  if (!entry.is_object() || !entry.contains("class_name") || !entry.contains("config")) {
    return false;
  }
  const json& name = entry["class_name"];
  if (name == "Sequential" || name == "Functional" || name == "Model") {
    return true;
  }
  const json& config = entry["config"];
  return config.is_object() && config.contains("layers") && config.contains("output_layers");
}

absl::StatusOr<KerasModel> ReadKerasModel(const json& entry, const ModelSource& source) {
  const json& config = entry["config"];
  KerasModel model;
  model.name = config.is_object() ? TextOr(config, "name", "model") : "model";
  const json* entries = LayerList(config);
  if (entries == nullptr || entries->empty()) {
    return Annotate(InvalidInput(entries == nullptr ? "layers is missing, expected a list of layers"
                                                    : "model has no layers, expected one or more"),
                    source.file);
  }
  for (size_t i = 0; i < entries->size(); ++i) {
    TW_ASSIGN_OR_RETURN(KerasLayer layer, ReadLayer((*entries)[i], i, source));
    model.layers.push_back(std::move(layer));
  }
  if (!IsSequential(entry)) {
    TW_RETURN_IF_ERROR(ConnectFunctional(config, *entries, source, model));
    return model;
  }
  if (config.is_object() && config.contains("build_input_shape")) {
    json& first = model.layers[0].config;
    if (first.is_null()) first = json::object();
    if (!first.contains("batch_input_shape")) {
      first["batch_input_shape"] = config["build_input_shape"];
    }
  }
  ChainSequential(model);
  return model;
}

}  // namespace tilewise
