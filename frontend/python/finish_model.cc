// A collected model as a KerasModel for the graph builder: a Sequential one
// gets its Input from whatever names the shape.

#include <fmt/format.h>

#include "frontend/python/interpreter.h"
#include "frontend/python/keras_models.h"
#include "frontend/python/model_replay.h"

namespace tilewise::python {
namespace {

// The Input tensor of a Sequential model, made from whatever names its shape.
std::optional<KerasTensor> SequentialInput(Interpreter& in, const Model& model,
                                           const std::optional<std::vector<int64_t>>& data_shape,
                                           std::string_view dtype) {
  const Value* first = model.stack.empty() ? nullptr : &model.stack[0];
  if (first != nullptr && first->as<KerasTensor>() != nullptr) {
    return *first->as<KerasTensor>();
  }
  std::string kind = "float32";
  std::optional<std::vector<int64_t>> shape = model.input_shape;
  if (first != nullptr && first->as<LayerRef>() != nullptr) {
    const KerasLayer& layer = in.keras.layer(first->as<LayerRef>()->layer);
    if (layer.class_name == "Embedding") kind = "int32";
    for (const char* key : {"input_shape", "batch_input_shape"}) {
      const auto dims = layer.config.find(key);
      if (dims == layer.config.end() || !dims->is_array()) continue;
      std::vector<int64_t> sizes;
      for (const auto& dim : *dims) {
        sizes.push_back(dim.is_number_integer() ? dim.get<int64_t>() : -1);
      }
      if (key[0] == 'b' && !sizes.empty()) sizes.erase(sizes.begin());
      shape = sizes;
    }
    const auto dim =
        layer.config.find(layer.class_name == "Embedding" ? "input_length" : "input_dim");
    if (!shape.has_value() && dim != layer.config.end() && dim->is_number_integer()) {
      shape = {dim->get<int64_t>()};
    }
  }
  if (first != nullptr && !shape.has_value()) {
    const Model* inner = first->ref<Model>();
    if (inner != nullptr && inner->kind == Model::Kind::kSequential && inner != &model) {
      return SequentialInput(in, *inner, data_shape, dtype);
    }
    if (inner != nullptr && inner->inputs.size() == 1) {
      return inner->inputs[0];
    }
  }
  if (!shape.has_value() && data_shape.has_value()) {
    shape = data_shape;
    if (!dtype.empty() && kind == "float32") kind = std::string(dtype);
  }
  if (!shape.has_value()) return std::nullopt;
  return in.keras.AddInput(*shape, kind, "", model.location);
}

bool HasUnresolved(Interpreter& in, const KerasModel& model, std::string& reason) {
  for (const auto& [index, why] : in.keras.unresolved) {
    for (const KerasLayer& layer : model.layers) {
      if (layer.name == in.keras.layer(index).name) {
        reason = why;
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::optional<KerasModel> FinishModel(Interpreter& in, Model& model,
                                      const std::optional<std::vector<int64_t>>& data_shape,
                                      std::string_view data_dtype) {
  if (!model.unresolved.empty()) return std::nullopt;  // noted where found
  std::vector<KerasTensor> inputs = model.inputs, outputs = model.outputs;
  if (model.kind == Model::Kind::kSequential) {
    // A part that is not known was noted where it was found.
    for (const Value& part : model.stack) {
      const Model* inner = part.ref<Model>();
      if (inner != nullptr && !inner->unresolved.empty()) {
        model.unresolved = inner->unresolved;
        return std::nullopt;
      }
    }
    const auto input = SequentialInput(in, model, data_shape, data_dtype);
    if (!input.has_value()) {
      in.Note("RD002", model.location,
              fmt::format("cannot tell the input shape of model {}; the model "
                          "cannot be costed; start it with keras.Input(shape)",
                          model.name));
      return std::nullopt;
    }
    const auto output = AppendStack(in, model, *input, model.location);
    if (!output.has_value()) {
      in.Note("RD002", model.location,
              fmt::format("cannot follow all layers of model {}; the model "
                          "cannot be costed; write model.to_json() to a file "
                          "and give that file too",
                          model.name));
      return std::nullopt;
    }
    inputs = {*input};
    outputs = {*output};
  }
  KerasModel result = in.keras.Cut(model.name, inputs, outputs);
  std::string reason;
  if (HasUnresolved(in, result, reason)) return std::nullopt;
  return result;
}

}  // namespace tilewise::python
