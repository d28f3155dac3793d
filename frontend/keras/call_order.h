// The calls of a model's layers, operands before users.

#pragma once

#include <cstddef>
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
// The place of a layer, which names it where there is no line.
Location LayerLocation(const KerasLayer& layer);

// Errors name the layer: a tensor that is not there, or layers that form a
// cycle. The model has one layer or more.
absl::StatusOr<std::vector<LayerStep>> OrderLayerSteps(const KerasModel& model);

}  // namespace tilewise
