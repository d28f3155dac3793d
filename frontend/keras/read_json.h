// Keras model files: the text of model.to_json(), and config.json of a saved
// model.

#pragma once

#include <string>
#include <string_view>

#include "frontend/load.h"

namespace tilewise {

// A JSON object with a class_name, or whatever calls itself .json and opens a
// bracket, so that its errors are about JSON.
bool LooksLikeKerasJson(std::string_view path, std::string_view text);

absl::StatusOr<Workload> ReadKerasJson(const std::string& path,
                                       const std::string& text,
                                       const LoadOptions& options);

}  // namespace tilewise
