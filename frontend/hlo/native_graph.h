// Modules that the printer made of graphs (print.h), back into graphs.

#pragma once

#include <string_view>

#include "base/status.h"
#include "frontend/hlo/module.h"
#include "graph/graph.h"

namespace tilewise::hlo {

// Whether PrintHlo wrote the module.
bool IsNativeModule(const Module& module);

// The graph that it was made of, every op checked by the shape rules. Errors:
// the instruction, what was found and what was expected.
absl::StatusOr<Graph> BuildNativeGraph(const Module& module);

// Whether a custom call stands for a kind of the graph that HLO has not.
bool IsNative(const Instruction& instruction);
// Kind, shape and attributes of the op that it stands for.
absl::StatusOr<Op> NativeOp(const Instruction& instruction);

}  // namespace tilewise::hlo
