// {"class_name": "Sequential" | "Functional" | "Model", "config": ...} ->
// KerasModel.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "frontend/keras/keras_model.h"

namespace tilewise {

struct ModelSource {
  std::string file;
  std::map<std::string, int32_t, std::less<>> name_lines;
  // Keras 1 left dim_ordering out of some layers, which then had that of the
  // backend: channels first when another layer of the file says so.
  bool channels_first = false;
};

// Whether any layer has dim_ordering "th".
bool HasChannelsFirstOrdering(const nlohmann::json& value);

// Whether a layer entry is itself a model.
bool IsModelEntry(const nlohmann::json& entry);

// The class as the file has it, for people: operations of Keras 3 are read as
// calls of functions.
std::string ClassInFile(const KerasLayer& layer);

// Errors carry the layer's location.
absl::StatusOr<KerasModel> ReadKerasModel(const nlohmann::json& entry, const ModelSource& source);

}  // namespace tilewise
