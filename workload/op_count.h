// Operations and bytes of an op as the model states it, before any lowering:
// what tables of models call FLOPs.

#pragma once

#include "graph/graph.h"

namespace tilewise {

// Multiplications and additions each count one; so does every other elementwise
// operation, transcendental or not. Moving data costs none. Of an op whose cost
// is not known one for each element of its result. Repetitions of loops are
// counted. `graph` is static.
double CountFlops(const Graph& graph, const Op& op);

// Operands and result, each once, without padding; repetitions of loops are
// counted. Parameters, variables and constants by themselves move nothing.
double CountBytes(const Graph& graph, const Op& op);

}  // namespace tilewise
