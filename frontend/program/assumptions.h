// What the user says of names that the program assigns: --assume NAME=VALUE.

#pragma once

#include <string>
#include <vector>

#include "python/interpreter.h"

namespace tilewise::program {

void TakeAssumptions(py::Interpreter& in, const std::vector<std::string>& given);

// Notes those that name nothing of the program at `path`.
void NoteUnusedAssumptions(py::Interpreter& in, const std::string& path);

}  // namespace tilewise::program
