// Which points of batch size x steps_per_execution are worth trying.

#include "tuner/candidates.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/math.h"
#include "base/units.h"

namespace tilewise {
namespace {

// This is far above any batch that fits a chip today; it ends the ladder when
// neither the data set nor the memory does.
constexpr int64_t kLargestPerCore = 65536;
constexpr int64_t kSublanes = 8;
constexpr int64_t kLanes = 128;

void Lower(int64_t& bound, int64_t value) { bound = std::min(bound, value); }

}  // namespace

BatchBounds BoundBatch(std::optional<int64_t> max_global_batch,
                       std::optional<int64_t> examples_per_epoch, int64_t cores, bool trains) {
  BatchBounds bounds;
  bounds.shown = bounds.chosen = kLargestPerCore * cores;
  if (max_global_batch) {
    Lower(bounds.shown, *max_global_batch);
    Lower(bounds.chosen, *max_global_batch);
    bounds.constraints.push_back(fmt::format("global batch at most {} (--max-global-batch)",
                                             FormatCount(*max_global_batch)));
  }
  if (examples_per_epoch) {
    const int64_t examples = *examples_per_epoch;
    Lower(bounds.shown, examples);
    const int64_t of_epoch = std::max(cores, examples / kFewestStepsPerEpoch);
    if (!max_global_batch && of_epoch < bounds.chosen) {
      bounds.chosen = of_epoch;
      bounds.constraints.push_back(
          fmt::format("global batch at most {}, so that {} examples make at least {} steps "
                      "an epoch (raise with --max-global-batch)",
                      FormatCount(bounds.chosen), FormatCount(examples), kFewestStepsPerEpoch));
    }
  }
  bounds.chosen = std::min(bounds.chosen, bounds.shown);
  // Learning ends the ladder where the data do not.
  const int64_t published = std::max(kLargestPublishedBatch, cores * kSublanes);
  if (trains && !max_global_batch && bounds.chosen > published) {
    bounds.chosen = published;
    bounds.constraints = {
        fmt::format("global batch at most {}, as in the largest published runs (raise with "
                    "--max-global-batch)",
                    FormatCount(published))};
  }
  return bounds;
}

std::vector<int64_t> BatchLadder(const BatchBounds& bounds, int64_t cores,
                                 std::optional<int64_t> also) {
  std::vector<int64_t> ladder;
  const int64_t shown = bounds.shown / cores;
  const int64_t chosen = bounds.chosen / cores;
  for (int64_t batch = kSublanes; batch <= shown; batch *= 2) {
    ladder.push_back(batch);
    const int64_t half_way = batch + batch / 2;
    if (half_way % kLanes == 0 && half_way <= shown) ladder.push_back(half_way);
  }
  // The largest aligned batch that may be chosen, and the largest shown.
  for (const int64_t bound : {chosen, shown}) {
    for (const int64_t multiple : {kSublanes, kLanes}) {
      if (bound >= multiple) ladder.push_back(bound / multiple * multiple);
    }
  }
  if (ladder.empty()) {
    for (int64_t batch = 1; batch <= std::max<int64_t>(shown, 1); batch *= 2) {
      ladder.push_back(batch);
    }
  }
  if (also) ladder.push_back(*also);
  std::sort(ladder.begin(), ladder.end());
  ladder.erase(std::unique(ladder.begin(), ladder.end()), ladder.end());
  return ladder;
}

void AddSmaller(std::vector<int64_t>& ladder) {
  std::vector<int64_t> smaller;
  for (int64_t batch = 1; batch < ladder.front(); batch *= 2) {
    smaller.push_back(batch);
  }
  ladder.insert(ladder.begin(), smaller.begin(), smaller.end());
}

void KeepMultiples(std::vector<int64_t>& ladder, int64_t parts) {
  std::erase_if(ladder, [parts](int64_t batch) { return batch % parts != 0; });
  if (ladder.empty()) ladder.push_back(parts);
}

std::vector<int64_t> ExecutionLadder(std::optional<int64_t> steps_per_epoch) {
  constexpr int64_t kLongest = 1000;
  const int64_t most = std::min(kLongest, steps_per_epoch.value_or(kLongest));
  std::vector<int64_t> ladder;
  for (int64_t decade = 1; decade <= most; decade *= 10) {
    for (const int64_t step : {1, 2, 5}) {
      if (decade * step <= most) ladder.push_back(decade * step);
    }
  }
  if (ladder.empty() || ladder.back() != most) {
    ladder.push_back(std::max<int64_t>(1, most));
  }
  return ladder;
}

}  // namespace tilewise
