// The shape and type of a model input.

#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "frontend/keras/keras_model.h"
#include "graph/shape.h"

namespace tilewise {

struct ModelInput {
  Shape shape;
  // "dimension 1": what the file leaves open and a size was assumed for.
  std::string assumed;
  std::vector<int64_t> assumed_dims;
};

// Reads batch_input_shape, batch_shape, input_shape or shape of an InputLayer.
// The batch stays symbolic, also when the file fixes it. Open dims get the size
// that another input of `model` has there, else 128 in sequences and 224 in
// images; `assumed` says which. Errors: no shape, sizes that are not positive.
absl::StatusOr<ModelInput> ReadModelInput(const KerasLayer& input, const KerasModel& model);

}  // namespace tilewise
