// Whether a module is a training step, and which of its variables are trained.

#pragma once

#include "base/status.h"
#include "frontend/hlo/module.h"
#include "graph/graph.h"
#include "workload/workload.h"

namespace tilewise::hlo {

// A training step has gradients: the names that frameworks give them, their
// instructions, or state of floats that arithmetic updates. All else is run as
// it is.
StepKind StepOf(const Module& module, const Graph& graph);

// In a training step, state is trained when something else than its update uses
// it: matmuls, lookups, broadcasts. Slots of optimizers only meet arrays of
// their own shape. In other steps, what is never written is trained on request.
absl::StatusOr<Graph> MarkTrainable(Graph graph, StepKind step);

}  // namespace tilewise::hlo
