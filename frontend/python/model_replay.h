// Models called like layers: their own layers are called again.

#pragma once

#include <optional>
#include <vector>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;

// A layer or model applied to `x`; `at` is the place of the call where the
// layer has none. Nothing when it cannot be followed.
std::optional<KerasTensor> AppendPart(Interpreter& in, const Value& part, KerasTensor x,
                                      const Location& at);
// The parts of a Sequential model, one after the other.
std::optional<KerasTensor> AppendStack(Interpreter& in, const Model& model, KerasTensor x,
                                       const Location& at);
// The calls of a functional model made again with other inputs.
std::optional<std::vector<KerasTensor>> ReplayModel(Interpreter& in, const Model& model,
                                                    const std::vector<KerasTensor>& actual);

}  // namespace tilewise::python
