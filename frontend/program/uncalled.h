// Functions of a program that nothing calls, run once with arguments that are
// not known, so that the data sets that they make are seen.

#pragma once

#include <string>

#include "frontend/program/search.h"
#include "frontend/program/trace.h"
#include "python/interpreter.h"

namespace tilewise::program {

// Runs the functions of the file at `path` alone; what they train does not
// count.
void RunUncalledFunctions(py::Interpreter& in, ProgramHost& host, const std::string& path);

}  // namespace tilewise::program
