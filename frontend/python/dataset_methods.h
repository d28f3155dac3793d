// The methods of datasets: their arguments, the stage each makes, and what a
// stage does to the elements and their number.

#pragma once

#include <array>
#include <string_view>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

// A method and the order of its arguments. `amount` is the argument that
// becomes Stage::amount.
struct DatasetMethod {
  std::string_view name;
  StageKind kind;
  std::string_view amount;
  std::array<std::string_view, 5> arguments;
};

// Null when datasets have no such method.
const DatasetMethod* FindDatasetMethod(std::string_view name);
// The stage that the call makes. Arguments that are not known are noted where
// rules depend on them.
Stage StageOf(Interpreter& in, const DatasetMethod& method, const Call& call);
void NoteAmount(Interpreter& in, const DatasetMethod& method, const Call& call, const Stage& stage);
// What `stage`, the last one of `dataset`, makes of its elements.
void ApplyStage(Interpreter& in, const Stage& stage, const Call& call, Dataset& dataset);

}  // namespace tilewise::python
