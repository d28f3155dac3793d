// A parsed Keras model, whatever file held it -> Workload.

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "workload/workload.h"

namespace tilewise {

struct KerasFile {
  std::string path;
  // The model as model.to_json() writes it, or an object that holds it as
  // "model_config" or "modelTopology"; training settings beside it.
  nlohmann::json root;
  std::string_view text;  // that `root` was parsed from; empty: no one text
  bool training = true;   // dropout and batch norm act as in training
};

// Errors: no model, unknown wiring, sizes that cannot be: with path and layer.
absl::StatusOr<Workload> WorkloadOfKeras(const KerasFile& file);

}  // namespace tilewise
