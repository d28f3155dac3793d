// Graphs that take other batches than the one they were changed at.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/rebatch.h"

namespace tilewise {

// Dims of inputs that hold the batch. In a static graph, whose batch per core
// is `batch`, they are looked for. Errors: they are not found, or hold another
// batch.
absl::StatusOr<std::vector<BatchSeed>> BatchSeedsOf(const Graph& graph, int64_t batch);

// `changed`, which RewriteGraph made of a static graph, with its batch free.
// `seeds` are those of the graph that it was made of. Errors: as
// SeparateBatch().
absl::StatusOr<Graph> WithFreeBatch(const Graph& changed, std::span<const BatchSeed> seeds);

}  // namespace tilewise
