// Which function of a file is the program: @main, else, of those that nothing
// calls, the one with the most operations; of several modules in a file, that
// of the one where it is largest.

#pragma once

#include <cstdint>

#include "base/status.h"
#include "frontend/mlir/module_lowering.h"
#include "frontend/mlir/operation.h"

namespace tilewise::mlir {

struct Entry {
  const Section* section = nullptr;
  Function function;
  int64_t left_out = 0;  // other functions with a body that nothing calls
};

// Errors: no function with a body.
absl::StatusOr<Entry> ChooseEntry(const File& file);

}  // namespace tilewise::mlir
