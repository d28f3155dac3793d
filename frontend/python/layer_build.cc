// The list of all layers of a script, and models cut out of it.

#include <algorithm>
#include <cctype>
#include <set>

#include "frontend/python/keras_layers.h"

namespace tilewise::python {

std::string SnakeCase(std::string_view name) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto small = [&](char c) { return lower(c) || (c >= '0' && c <= '9'); };
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    // Keras splits before a capital that starts a word, and between a small
    // letter and a capital.
    const bool word = i > 0 && upper(name[i]) && i + 1 < name.size() && small(name[i + 1]);
    const bool edge = i > 0 && upper(name[i]) && lower(name[i - 1]);
    if ((word || edge) && !result.ends_with('_')) result += '_';
    result += static_cast<char>(std::tolower(name[i]));
  }
  return result;
}

std::string LayerBuild::AutoName(std::string_view class_name) {
  const bool input = class_name == "InputLayer";
  const std::string base = input ? "input" : SnakeCase(class_name);
  const int count = names_[base]++;
  if (input) return base + "_" + std::to_string(count + 1);
  return count == 0 ? base : base + "_" + std::to_string(count);
}

int32_t LayerBuild::AddLayer(std::string class_name, nlohmann::json config, Location location) {
  KerasLayer layer;
  const auto name = config.find("name");
  layer.name =
      name != config.end() && name->is_string() ? name->get<std::string>() : AutoName(class_name);
  layer.class_name = std::move(class_name);
  config["name"] = layer.name;
  layer.config = std::move(config);
  layer.location = std::move(location);
  layer.location.item = layer.name;
  layers_.push_back(std::move(layer));
  return static_cast<int32_t>(layers_.size()) - 1;
}

KerasTensor LayerBuild::AddCall(int32_t index, std::vector<KerasTensor> inputs,
                                nlohmann::json kwargs, const Location& location) {
  KerasLayer& called = layer(index);
  KerasCall call;
  call.inputs = std::move(inputs);
  call.kwargs = std::move(kwargs);
  call.location = location;
  call.location.item = called.name;
  called.calls.push_back(std::move(call));
  return {index, static_cast<int32_t>(called.calls.size()) - 1, 0};
}

KerasTensor LayerBuild::AddInput(const std::vector<int64_t>& shape, std::string dtype,
                                 std::string name, const Location& location) {
  nlohmann::json batch_shape = nlohmann::json::array({nullptr});
  for (const int64_t dim : shape) {
    batch_shape.push_back(dim >= 0 ? nlohmann::json(dim) : nlohmann::json(nullptr));
  }
  nlohmann::json config = {{"batch_input_shape", batch_shape},
                           {"dtype", dtype.empty() ? "float32" : dtype}};
  if (!name.empty()) config["name"] = name;
  const int32_t index = AddLayer("InputLayer", std::move(config), location);
  return AddCall(index, {}, nlohmann::json::object(), location);
}

namespace {

using CallId = std::pair<int32_t, int32_t>;

// All calls that `outputs` depend on, stopping at `inputs`.
std::set<CallId> Reachable(const std::vector<KerasLayer>& layers,
                           const std::vector<KerasTensor>& inputs,
                           const std::vector<KerasTensor>& outputs) {
  std::set<CallId> stop, seen;
  for (const KerasTensor& t : inputs) stop.emplace(t.layer, t.call);
  std::vector<CallId> work;
  const auto visit = [&](const KerasTensor& t) {
    if (seen.emplace(t.layer, t.call).second) work.emplace_back(t.layer, t.call);
  };
  for (const KerasTensor& t : outputs) visit(t);
  while (!work.empty()) {
    const CallId id = work.back();
    work.pop_back();
    if (stop.contains(id)) continue;
    const KerasLayer& layer = layers[id.first];
    for (const KerasTensor& t : layer.calls[id.second].inputs) {
      visit(t);
    }
  }
  for (const CallId& id : stop) seen.insert(id);
  return seen;
}

}  // namespace

KerasModel LayerBuild::Cut(const std::string& name, std::vector<KerasTensor> inputs,
                           const std::vector<KerasTensor>& outputs) const {
  KerasModel model;
  model.name = name;
  std::set<CallId> stop;
  for (const KerasTensor& t : inputs) stop.emplace(t.layer, t.call);
  std::map<CallId, KerasTensor> renamed;
  for (const CallId& id : Reachable(layers_, inputs, outputs)) {
    const KerasLayer& from = layers_[id.first];
    if (from.class_name == "InputLayer" && !stop.contains(id)) {
      inputs.push_back({id.first, id.second, 0});
      stop.insert(id);
    }
    // Calls of one layer follow each other in the set.
    const bool fresh = renamed.empty() || renamed.rbegin()->first.first != id.first;
    if (fresh) {
      model.layers.push_back(from);
      model.layers.back().calls.clear();
    }
    KerasLayer& to = model.layers.back();
    renamed[id] = {static_cast<int32_t>(model.layers.size()) - 1,
                   static_cast<int32_t>(to.calls.size()), 0};
    to.calls.push_back(from.calls[id.second]);
  }
  const auto rename = [&](KerasTensor t) {
    KerasTensor result = renamed.at({t.layer, t.call});
    result.output = t.output;
    return result;
  };
  for (KerasLayer& layer : model.layers) {
    for (KerasCall& call : layer.calls) {
      for (KerasTensor& t : call.inputs) {
        if (renamed.contains({t.layer, t.call})) t = rename(t);
      }
    }
  }
  for (const KerasTensor& t : inputs) model.inputs.push_back(rename(t));
  for (const KerasTensor& t : outputs) model.outputs.push_back(rename(t));
  return model;
}

}  // namespace tilewise::python
