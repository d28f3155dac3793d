// Sequential and functional models of a script.

#pragma once

#include <optional>

#include "frontend/python/keras_layers.h"

namespace tilewise::python {

// keras.Sequential(...), keras.Model(...), model factories of libraries.
std::optional<Value> CallKerasModel(Interpreter& in, const Call& call);
// model.add(...), model.build(...), model.get_layer(...), model(x).
std::optional<Value> CallModelMethod(Interpreter& in, const Call& call);
// model(x): the layers of the model called again on x.
Value ApplyModel(Interpreter& in, Model& model, const Call& call);

// The finished model. `data_shape`: of one example given to fit(), for models
// that name no input shape themselves. Nothing, and a note, when not known.
std::optional<KerasModel> FinishModel(Interpreter& in, Model& model,
                                      const std::optional<std::vector<int64_t>>& data_shape,
                                      std::string_view data_dtype);

}  // namespace tilewise::python
