// Parsed MLIR -> the module of XLA that it stands for. Each function becomes a
// computation, as do the regions of reductions, loops and branches; what a
// region takes from around it is handed in. Sizes that the text leaves open
// ('?') follow from the operands; the open size of the inputs is the batch.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "frontend/hlo/module.h"
#include "frontend/mlir/operation.h"

namespace tilewise::mlir {

struct Lowered {
  hlo::Module module;
  // Operations that were lowered, by the names of the file.
  std::map<std::string, int64_t> operations;
  std::vector<Diagnostic> notes;
};

// `path` is for the notes. Views of the module go into the text that `file` was
// parsed from, and into the module. Errors: no function with a body, functions
// that call themselves, an operation without a shape.
absl::StatusOr<Lowered> Lower(const File& file, const std::string& path);

}  // namespace tilewise::mlir
