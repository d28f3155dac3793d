// Gives a Sequential model, read as a plain list of layers, its calls.

#pragma once

#include "frontend/keras/keras_model.h"

namespace tilewise {

// Chains `model.layers` (in order, without calls): puts an InputLayer first if
// there is none, made from batch_input_shape, input_shape, input_dim or
// input_length of the first layer, gives every layer one call, and sets
// inputs and outputs. Without any shape the InputLayer has none, which is an
// error only when the model is not called by another one.
void ChainSequential(KerasModel& model);

}  // namespace tilewise
