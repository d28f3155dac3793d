// Checks what the calls of a model refer to and puts them in order.

#include "frontend/keras/call_order.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "frontend/keras/layer_place.h"
#include "graph/topological_order.h"

namespace tilewise {

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
                    LayerPlace(LayerLocation(user)));
  }
  return Annotate(InvalidInput("takes the result of a layer that is not there"),
                  LayerPlace(LayerLocation(user)));
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
                  LayerPlace(LayerLocation(first)));
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

}  // namespace tilewise
