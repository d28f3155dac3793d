// Tensor parallelism over more cores than attention has key and value heads.

#pragma once

#include <string>
#include <vector>

#include "sim/lowering/partition/axis_partition.h"

namespace tilewise {

// How the cores of `tensor`, one axis, share an inference step whose model is
// `source`: all at once, or, where all attention has fewer key heads than there
// are cores, first by key heads ("tensor.heads"), then, with a key head and
// what makes it on each core of a group, by the queries of that head
// ("tensor.copies"). So servers do it, with copies of key heads, and so does
// the SPMD partitioner, with shardings that are replicated in part.
std::vector<SharedAxis> StagesOfTensor(const Graph& source, const SharedAxis& tensor);

// Collectives of both stages that follow each other become one over all of
// `tensor`.
absl::StatusOr<Graph> JoinStages(const Graph& graph, const SharedAxis& tensor);

}  // namespace tilewise
