// Ops that are results of one computation: alike but for attrs.result
// (op_kinds.def). They are one kernel.

#pragma once

#include <vector>

#include "graph/graph.h"

namespace tilewise {

// The results of the computation that `op` is a result of, ascending by id;
// `op` alone when its kind has one result.
std::vector<OpId> Siblings(const Graph& graph, const Op& op);

}  // namespace tilewise
