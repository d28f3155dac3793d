// What the tests count in a model.

#pragma once

#include "graph/graph.h"

namespace tilewise {

// Multiply-accumulates of all products and convolutions of one example.
double MultiplyAccumulates(const Graph& forward);

}  // namespace tilewise
