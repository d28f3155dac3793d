// A module of XLA -> Workload.

#pragma once

#include <string>

#include "base/status.h"
#include "frontend/hlo/module.h"
#include "workload/workload.h"

namespace tilewise::hlo {

// The graph that the entry computation computes, written out: calls and fusions
// inlined, loop bodies once with the number of their iterations. Locations are
// the module's source lines, or lines of `path`. Fills graph, step, source_ops,
// layers, opaque_layers, notes, compilation and name; `format` and `producer`
// are the reader's. Errors: an entry computation without instructions, calls
// nested or repeated beyond bounds, arrays beyond bounds.
absl::StatusOr<Workload> BuildWorkload(const Module& module, const std::string& path);

}  // namespace tilewise::hlo
