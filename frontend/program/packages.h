// Packages and modules that lie around a program.

#pragma once

#include <filesystem>
#include <string>

#include "python/interpreter.h"

namespace tilewise::program {

// A folder above the program's, as the user would name it: relative to the working folder where the
// program is given so and the folder is within that.
std::string AsGiven(const std::filesystem::path& folder, const std::string& program);

// The dotted package that a file is in, by the __init__.py beside it; and the
// folder that holds the outermost.
struct PackageOf {
  std::string dotted;
  std::string root;
};
PackageOf FindPackage(const std::string& path);

// The packages around the program, whose own code is not run before it.
void OpenPackages(py::Interpreter& in, const PackageOf& package);

// The module beside the program `path`, or above it, that defines a name; empty:
// there is none.
std::string ModuleDefining(const std::string& name, const std::string& path);

}  // namespace tilewise::program
