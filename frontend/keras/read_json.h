// Keras model files: the text of model.to_json(), also once more as a JSON
// string; config.json of a saved model, model.json of a TensorFlow.js layers
// model.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// A JSON object with a class_name, a string of one, or whatever calls itself
// .json and opens a bracket, so that its errors are about JSON. Graph models of
// TensorFlow.js and notebooks are left to their readers.
bool LooksLikeKerasJson(const InputFile& file);

absl::StatusOr<Workload> ReadKerasJson(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
