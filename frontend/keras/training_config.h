// Optimizer and loss that a saved model carries.

#pragma once

#include <nlohmann/json.hpp>

#include "graph/training.h"

namespace tilewise {

// What stands in "training_config" or "compile_config" (or, in Keras 1, at the
// top level). Names that are not known leave the default and its _known flag
// false; so do forms that cannot be read.
TrainingSpec ReadTrainingConfig(const nlohmann::json& config);

}  // namespace tilewise
