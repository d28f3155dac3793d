// Chains the layers of a Sequential model.

#include "frontend/keras/sequential.h"

#include <string>
#include <utility>

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
