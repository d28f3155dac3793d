// The calls of a model's layers: those that a Sequential model implies, and all
// of them with operands before users.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "frontend/keras/keras_model.h"

namespace tilewise {

struct LayerStep {
  size_t layer, call;  // indices in KerasModel::layers and KerasLayer::calls
};

bool IsInputLayer(const KerasLayer& layer);
// An InputLayer may have no call of its own: it is its own result.
size_t CallCount(const KerasLayer& layer);
// The location of a layer, which names it where there is no line.
Location LayerLocation(const KerasLayer& layer);

// Errors name the layer: a tensor that is not there, or layers that form a
// cycle. The model has one layer or more.
absl::StatusOr<std::vector<LayerStep>> OrderLayerSteps(const KerasModel& model);

// How errors name a layer: "model.json:12: layer conv1".
std::string LocationText(Location location);

// Chains `model.layers` (in order, without calls): puts an InputLayer first if
// there is none, made from batch_input_shape, input_shape, input_dim or
// input_length of the first layer, gives every layer one call, and sets
// inputs and outputs. Without any shape the InputLayer has none, which is an
// error only when the model is not called by another one.
void ChainSequential(KerasModel& model);

}  // namespace tilewise
