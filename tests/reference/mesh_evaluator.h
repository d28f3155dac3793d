// Evaluates a partitioned graph on every core of a small mesh, collectives
// across them included.

#pragma once

#include <cstdint>
#include <vector>

#include "tests/reference/evaluator.h"

namespace tilewise::reference {

// Cores along each axis; sizes above 1 must be different primes, so that the
// shapes of parts say which axes they are parts of.
struct MeshSizes {
  int64_t data = 1;
  int64_t fsdp = 1;
  int64_t tensor = 1;
  int64_t expert = 1;
  // Of the axis `tensor`, which then is this times `tensor`: the key heads that
  // groups of its cores have.
  int64_t heads = 1;
  // Cores with examples of their own.
  int64_t shards() const { return data * fsdp * expert; }
  int64_t cores() const { return shards() * heads * tensor; }
};

// The outputs of `graph`, put together: state from its parts, which must agree
// where cores hold the same part; losses as the mean over the cores; results
// joined along the batch, dim 0. `leaves` are whole: the batch of parameters,
// dim 0, is that of all cores that have examples of their own.
std::vector<Tensor> EvaluateOnMesh(const Graph& graph, const Tensors& leaves,
                                   const MeshSizes& mesh);

}  // namespace tilewise::reference
