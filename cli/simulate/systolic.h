// The matmuls of a model on a bare systolic array, for comparison with
// simulators of such arrays.

#pragma once

#include <string>

#include "base/status.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"

namespace tilewise {

struct ArrayOptions {
  std::string size;             // "128x128": rows and columns; empty: no array
  std::string dataflow = "ws";  // ws, os or is
};

void Add(Arguments& arguments, ArrayOptions& options);

// `simulate --array`: one row per matmul of the forward pass at the batch that
// was asked for (1 when none was), then the total, written as a listing.
// Errors: no model; a model whose batch cannot be bound.
absl::StatusOr<int> RunSystolic(const ArrayOptions& options, const ModelOptions& model,
                                const OutputOptions& output);

}  // namespace tilewise
