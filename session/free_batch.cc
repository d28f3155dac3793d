// Inputs are found again by the op that they stand for.

#include "session/free_batch.h"

#include <fmt/format.h>

namespace tilewise {
namespace {

std::vector<BatchSeed> PerBatchDims(const Graph& graph) {
  std::vector<BatchSeed> seeds;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter) continue;
    for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
      if (op.shape.dims[dim].per_batch) {
        seeds.push_back({op.id, dim});
      }
    }
  }
  return seeds;
}

}  // namespace

absl::StatusOr<std::vector<BatchSeed>> BatchSeedsOf(const Graph& graph, int64_t batch) {
  if (!graph.is_static()) return PerBatchDims(graph);
  TW_ASSIGN_OR_RETURN(BatchGuess guess, GuessBatch(graph));
  if (guess.batch != batch) {
    return InvalidInput(
        fmt::format("found a batch of {} in the graph, expected {}", guess.batch, batch));
  }
  return std::move(guess.seeds);
}

absl::StatusOr<Graph> WithFreeBatch(const Graph& changed, std::span<const BatchSeed> seeds) {
  std::vector<BatchSeed> kept;
  kept.reserve(seeds.size());
  for (const Op& op : changed.ops()) {
    if (op.kind != OpKind::kParameter) continue;
    for (const BatchSeed& seed : seeds) {
      if (op.origin == seed.parameter) kept.push_back({op.id, seed.dim});
    }
  }
  return SeparateBatch(changed, kept);
}

}  // namespace tilewise
