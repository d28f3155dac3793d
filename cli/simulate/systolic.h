// The products of a model on a bare systolic array, for comparison with
// simulators of such arrays.

#pragma once

#include <string>

#include "base/status.h"
#include "cli/simulate/simulate.h"
#include "sim/systolic.h"

namespace tilewise {

// "128x128": rows and columns, each from 1 to 65,536.
absl::StatusOr<SystolicArray> ParseArray(const std::string& text);

// `simulate --array`: one row per product of the forward pass at the batch that
// was asked for (1 when none was), then the total, written as a listing.
// Errors: no model; a model whose batch cannot be bound; options that ask for
// what an array without a machine has not.
absl::StatusOr<int> RunSystolic(const SimulateOptions& options);

}  // namespace tilewise
