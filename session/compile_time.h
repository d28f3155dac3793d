// How long XLA takes to compile a lowered step.

#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"
#include "graph/graph.h"

namespace tilewise {

// The time lies between the two rates that are published with their number of
// ops or layers: 136,000 ops in 210 s (pytorch/xla#1155), and a network of
// 1,019 layers in 410 s on a TPU v2, taken as the 15,425 ops that a training
// step of as many layers of its kind lowers to (examples/make_deep_cells.py
// 92). Compilation is taken as linear in the ops; its fixed part is not known
// and left out.
struct CompileTime {
  Seconds least;
  Seconds most;
};
CompileTime CompileTimeOf(int64_t ops);

// The ops of a lowered step that the compiler sees: of a loop over layers those of one trip.
int64_t CompiledOps(const Graph& graph);

// "0.5 to 8 s".
std::string FormatCompileTime(const CompileTime& time);

}  // namespace tilewise
