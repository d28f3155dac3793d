// What can be said of a graph before any node is evaluated.

#pragma once

#include "base/status.h"
#include "frontend/tensorflow/evaluator.h"
#include "frontend/tensorflow/graph_def.h"

namespace tilewise::tf {

// Whether the graph has updates of an optimizer, which variables are trained,
// shapes that signatures state.
GraphFacts FactsOf(const MetaGraph& meta, const GraphIndex& index);

// Whether a variable of this name is one of the optimizer's or a statistic.
bool IsSlotName(std::string_view variable);

}  // namespace tilewise::tf
