// Checks what the calls of a model refer to and puts them in order.

#include "frontend/keras/call_order.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/location.h"
#include "graph/topological_order.h"

namespace tilewise {
namespace {

using nlohmann::json;

// Moves the input's shape and type from the first layer's configuration.
KerasLayer MakeInput(const KerasLayer& first) {
  KerasLayer input;
  input.class_name = "InputLayer";
  input.name = first.name + "_input";
  input.location = first.location;
  input.config = json::object();
  const json& config = first.config;
  if (!config.is_object()) return input;
  for (const char* key : {"batch_input_shape", "batch_shape", "input_shape"}) {
    if (config.contains(key)) input.config[key] = config[key];
  }
  if (input.config.empty() && first.class_name == "Embedding") {
    const json length = config.value("input_length", json());
    if (!length.is_null()) {
      input.config["batch_input_shape"] = json::array({nullptr, length});
    }
  } else if (input.config.empty() && config.contains("input_dim")) {
    json shape = json::array({nullptr});
    if (config.contains("input_length")) shape.push_back(config["input_length"]);
    shape.push_back(config["input_dim"]);
    input.config["batch_input_shape"] = std::move(shape);
  }
  // Keras 1 named the input's type apart; Keras 2 wrote the layer's own.
  if (config.contains("input_dtype")) {
    input.config["dtype"] = config["input_dtype"];
  } else if (first.class_name == "Embedding") {
    input.config["dtype"] = "int32";
  }
  return input;
}

}  // namespace

std::string LocationText(Location location) {
  const std::string name = std::move(location.item);
  location.item.clear();
  std::string place = FormatLocation(location);
  if (name.empty()) return place;
  return place + (place.empty() ? "layer " : ": layer ") + name;
}

bool IsInputLayer(const KerasLayer& layer) { return layer.class_name == "InputLayer"; }

size_t CallCount(const KerasLayer& layer) { return IsInputLayer(layer) ? 1 : layer.calls.size(); }

Location LayerLocation(const KerasLayer& layer) {
  Location place = layer.location;
  if (place.item.empty()) place.item = layer.name;
  return place;
}

namespace {

absl::Status CheckTensor(const KerasModel& model, const KerasTensor& tensor,
                         const KerasLayer& user) {
  const auto layers = static_cast<int64_t>(model.layers.size());
  if (tensor.layer >= 0 && tensor.layer < layers && tensor.call >= 0 && tensor.output >= 0) {
    const KerasLayer& from = model.layers[tensor.layer];
    const size_t calls = CallCount(from);
    if (static_cast<size_t>(tensor.call) < calls) return absl::OkStatus();
    return Annotate(InvalidInput(fmt::format("takes call {} of layer {}, which has {}", tensor.call,
                                             from.name, calls)),
                    LocationText(LayerLocation(user)));
  }
  return Annotate(InvalidInput("takes the result of a layer that is not there"),
                  LocationText(LayerLocation(user)));
}

absl::Status CycleError(const KerasModel& model, const std::vector<int32_t>& cycle,
                        const std::vector<LayerStep>& steps) {
  std::string names;
  const size_t shown = std::min<size_t>(cycle.size(), 8);
  for (size_t i = 0; i < shown; ++i) {
    names += model.layers[steps[cycle[i]].layer].name;
    names += " -> ";
  }
  if (shown < cycle.size()) names += "... -> ";
  const KerasLayer& first = model.layers[steps[cycle[0]].layer];
  return Annotate(InvalidInput(fmt::format(
                      "layers form a cycle: {}{}, expected no layer to need its own result", names,
                      first.name)),
                  LocationText(LayerLocation(first)));
}

}  // namespace

absl::StatusOr<std::vector<LayerStep>> OrderLayerSteps(const KerasModel& model) {
  std::vector<LayerStep> steps;
  std::vector<size_t> first_step(model.layers.size());
  for (size_t i = 0; i < model.layers.size(); ++i) {
    first_step[i] = steps.size();
    for (size_t c = 0; c < CallCount(model.layers[i]); ++c) {
      steps.push_back({i, c});
    }
  }
  std::vector<std::pair<int32_t, int32_t>> edges;
  for (size_t s = 0; s < steps.size(); ++s) {
    const KerasLayer& layer = model.layers[steps[s].layer];
    if (IsInputLayer(layer)) continue;
    for (const KerasTensor& input : layer.calls[steps[s].call].inputs) {
      TW_RETURN_IF_ERROR(CheckTensor(model, input, layer));
      const size_t from = first_step[input.layer] + static_cast<size_t>(input.call);
      edges.emplace_back(static_cast<int32_t>(from), static_cast<int32_t>(s));
    }
  }
  const TopologicalOrder order = OrderTopologically(static_cast<int32_t>(steps.size()), edges);
  if (!order.cycle.empty()) return CycleError(model, order.cycle, steps);
  for (const auto* ends : {&model.inputs, &model.outputs}) {
    for (const KerasTensor& tensor : *ends) {
      TW_RETURN_IF_ERROR(CheckTensor(model, tensor, model.layers[0]));
    }
  }
  std::vector<LayerStep> result;
  for (const int32_t s : order.order) {
    result.push_back(steps[s]);
  }
  return result;
}

void ChainSequential(KerasModel& model) {
  const bool has_input = !model.layers.empty() && model.layers[0].class_name == "InputLayer";
  if (!has_input && !model.layers.empty()) {
    model.layers.insert(model.layers.begin(), MakeInput(model.layers[0]));
  }
  for (size_t i = 0; i < model.layers.size(); ++i) {
    KerasCall call;
    call.location = model.layers[i].location;
    if (i > 0) call.inputs = {{static_cast<int32_t>(i) - 1, 0, 0}};
    model.layers[i].calls = {std::move(call)};
  }
  if (model.layers.empty()) return;
  // The shape that a layer was built with is that of the result before it.
  for (size_t i = 1; i + 1 < model.layers.size(); ++i) {
    const json& next = model.layers[i + 1].config;
    const bool stated = next.is_object() && next.contains("batch_shape");
    if (stated) model.layers[i].stated[0][0] = next["batch_shape"];
  }
  model.inputs = {{0, 0, 0}};
  model.outputs = {{static_cast<int32_t>(model.layers.size()) - 1, 0, 0}};
}

}  // namespace tilewise
