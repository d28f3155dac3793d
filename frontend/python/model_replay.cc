// Calls of models: a Sequential one part by part, a functional one call by
// call.

#include "frontend/python/model_replay.h"

#include <map>

#include "frontend/python/interpreter.h"

namespace tilewise::python {

std::optional<KerasTensor> AppendStack(Interpreter& in, const Model& model, KerasTensor x,
                                       const Location& at) {
  std::optional<KerasTensor> result = x;
  for (const Value& part : model.stack) {
    if (part.as<KerasTensor>() != nullptr) continue;  // its Input
    result = AppendPart(in, part, *result, at);
    if (!result.has_value()) return std::nullopt;
  }
  return result;
}

std::optional<std::vector<KerasTensor>> ReplayModel(Interpreter& in, const Model& model,
                                                    const std::vector<KerasTensor>& actual) {
  if (actual.size() != model.inputs.size()) return std::nullopt;
  std::map<std::pair<int32_t, int32_t>, KerasTensor> made;
  for (size_t i = 0; i < actual.size(); ++i) {
    made[{model.inputs[i].layer, model.inputs[i].call}] = actual[i];
  }
  // Depth first, with an explicit stack: operands before users.
  std::vector<KerasTensor> work = model.outputs;
  while (!work.empty()) {
    if (!in.Charge(Interpreter::kCallUnits)) return std::nullopt;
    const KerasTensor t = work.back();
    if (made.contains({t.layer, t.call})) {
      work.pop_back();
      continue;
    }
    const KerasCall call = in.keras.layer(t.layer).calls[t.call];
    bool ready = true;
    std::vector<KerasTensor> inputs;
    for (const KerasTensor& input : call.inputs) {
      const auto found = made.find({input.layer, input.call});
      if (found == made.end()) {
        work.push_back(input);
        ready = false;
      } else {
        inputs.push_back(found->second);
        // Which of several results is the user's choice, not the maker's.
        if (input.output != 0) inputs.back().output = input.output;
      }
    }
    if (!ready) continue;
    if (call.inputs.empty()) return std::nullopt;  // an input left open
    made[{t.layer, t.call}] = in.keras.AddCall(t.layer, inputs, call.kwargs, call.location);
    work.pop_back();
  }
  std::vector<KerasTensor> results;
  for (const KerasTensor& t : model.outputs) {
    results.push_back(made.at({t.layer, t.call}));
    if (t.output != 0) results.back().output = t.output;
  }
  return results;
}

std::optional<KerasTensor> AppendPart(Interpreter& in, const Value& part, KerasTensor x,
                                      const Location& at) {
  if (!in.Charge(Interpreter::kCallUnits)) return std::nullopt;
  if (const LayerRef* layer = part.as<LayerRef>()) {
    const Location& own = in.keras.layer(layer->layer).location;
    return in.keras.AddCall(layer->layer, {x}, nlohmann::json::object(), own.known() ? own : at);
  }
  const Model* model = part.ref<Model>();
  if (model == nullptr) return std::nullopt;
  if (model->kind == Model::Kind::kSequential) {
    // A model may hold itself only by mistake.
    for (const Value& inner : model->stack) {
      if (inner.ref<Model>() == model) return std::nullopt;
    }
    return AppendStack(in, *model, x, at);
  }
  if (model->kind != Model::Kind::kFunctional) return std::nullopt;
  const auto results = ReplayModel(in, *model, {x});
  if (!results.has_value() || results->size() != 1) return std::nullopt;
  return (*results)[0];
}

}  // namespace tilewise::python
