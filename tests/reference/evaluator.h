// A slow and obvious evaluator of bound graphs, written to be trusted: passes
// must not change what it computes, and gradients must match its differences.
//
// All element types are computed as double: converting to a float type does
// not round, to an integer type cuts the fraction off, to pred compares with
// zero. Random numbers are a hash of the stream's name, or else of the op's,
// and the element's index: an op that keeps its name keeps its numbers. Opaque
// ops give such numbers too.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "tests/reference/tensor.h"

namespace tilewise::reference {

using Tensors = std::map<std::string, Tensor>;

// Which replicas exchange values in a collective, or count as parts of a
// partition id: every replica in one group, each group in its order.
using Groups = std::vector<std::vector<size_t>>;
using GroupsOf = std::function<Groups(const Op&)>;

// Neighbours, `group_size` of them; an all-reduce of a larger group than there
// are replicas sums over those.
GroupsOf Neighbours(size_t replicas);

// The value of every op on each of several replicas, by replica, then by id.
// `leaves` has each parameter and variable of a replica by name, and may have
// more.
std::vector<std::vector<Tensor>> EvaluateReplicas(const Graph& graph,
                                                  const std::vector<Tensors>& leaves,
                                                  const GroupsOf& groups_of);

// The value of every op, by id, on a single replica: all-reduce changes
// nothing.
std::vector<Tensor> EvaluateAll(const Graph& graph, const Tensors& leaves);

// The values of the outputs, in order.
std::vector<Tensor> Evaluate(const Graph& graph, const Tensors& leaves);

// Values for each parameter and variable, which depend on the seed, the name
// and how the leaf is used: indices lie within the table they select from,
// one-hot labels are one-hot, variables that are not trainable (statistics,
// optimizer state) are positive, pred is 0 or 1, the rest is in [-1, 1).
Tensors RandomLeaves(const Graph& graph, uint32_t seed);

// In [0, 1), from a name and an element's number.
double HashUniform(const std::string& name, uint64_t element, uint64_t salt);

}  // namespace tilewise::reference
