// Which points of batch size x steps_per_execution are worth trying.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewise {

// An epoch shorter than this many steps leaves the optimizer too few updates
// for the epoch to mean anything; larger batches are shown but not chosen.
// A choice of ours, not a measurement; --max-global-batch overrides it.
inline constexpr int64_t kFewestStepsPerEpoch = 5;

// The largest global batch of a published training run. Source: You et al., "Large Batch
// Optimization for Deep Learning: Training BERT in 76 minutes", arXiv:1904.00962.
inline constexpr int64_t kLargestPublishedBatch = 65'536;

// Bounds on the global batch and what set them, in words for the report.
struct BatchBounds {
  int64_t shown = 0;   // largest global batch that is tried at all
  int64_t chosen = 0;  // largest that may be recommended
  std::vector<std::string> constraints;
};
BatchBounds BoundBatch(std::optional<int64_t> max_global_batch,
                       std::optional<int64_t> examples_per_epoch, int64_t cores,
                       bool trains = true);

// Batches per core in ascending order: 8, 16, 32 ... doubling, with the
// half-way points that are multiples of the lanes from 128 on. Below 8 when
// the bound leaves nothing else. `also` (the user's own) is always included.
std::vector<int64_t> BatchLadder(const BatchBounds& bounds, int64_t cores,
                                 std::optional<int64_t> also);

// Puts the powers of two below the first batch in front: for models of which no
// larger batch fits.
void AddSmaller(std::vector<int64_t>& ladder);

// Leaves the batches that are made of so many equal parts; the smallest of them
// if there is none.
void KeepMultiples(std::vector<int64_t>& ladder, int64_t parts);

// 1, 2, 5, 10 ... up to the steps of an epoch, that number included.
std::vector<int64_t> ExecutionLadder(std::optional<int64_t> steps_per_epoch);

}  // namespace tilewise
