// Finds where gradients of data-parallel cores become one.

#pragma once

#include <vector>

#include "graph/graph.h"

namespace tilewise {

// Returns for each op whether its values differ between the cores that have
// examples of their own, and the update uses but does not make it.
std::vector<bool> FindUnsummedGradients(const Graph& graph);

// Whether `op` keeps a sum over parts of the batch for the next part, or for the update.
bool IsCarry(const Op& op);

// Returns, for each op outside of the update, the weight that it is the
// gradient of, kNoOp for others.
std::vector<OpId> FindWeightsOfGradients(const Graph& graph);

// Whether only the update sees the value, alone or with other gradients of the
// same weight.
bool IsAddedUp(const Graph& graph, const Op& gradient);

// The same, or in another type.
bool IsForUpdate(const Graph& graph, const Op& gradient);

// Whether `op` only makes another float wider. The SPMD partitioner sums the
// terms of a matmul in the type that the matmul has, before such a cast.
bool IsWidening(const Graph& graph, const Op& op);

}  // namespace tilewise
