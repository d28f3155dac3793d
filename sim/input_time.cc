// Steady state of a chain of queues: the slowest part sets the pace, and all
// parts together cannot use more cores and threads than there are.

#include "sim/input_time.h"

#include <algorithm>

#include "pipeline/chain.h"

namespace tilewise {

namespace {

// What is asked of the threads and cores that work ahead.
struct Load {
  Seconds work;  // of cores
  Seconds wait;  // for storage and locks, with a thread but no core
  void Add(const StageCost& stage) { Add(Load{stage.work, stage.wait}); }
  void Add(const Load& other) {
    work += other.work;
    wait += other.wait;
  }
};

}  // namespace

InputTime TimeInput(const std::vector<StageCost>& stages, const Pipeline& pipeline,
                    const Host& host, CacheState caches) {
  InputTime time;
  Load ahead;    // all parts but the open one
  Load in_part;  // the open part
  Seconds part;  // its time, on its thread
  for (size_t i = 0; i < stages.size(); ++i) {
    const StageCost& stage = stages[i];
    if (caches == CacheState::kWarm && pipeline.stages[i].kind == StageKind::kCache) {
      time.ahead = part = {};
      ahead = in_part = {};
    }
    in_part.Add(stage);
    if (!stage.asynchronous) {
      part += stage.per_batch();
      continue;
    }
    const Seconds own = std::max((stage.work + stage.wait) / stage.parallelism, stage.shared);
    time.ahead = std::max({time.ahead, part, own});
    ahead.Add(in_part);
    in_part = {};
    part = stage.hand_over;
  }
  const bool ends_ahead = !stages.empty() && stages.back().asynchronous;
  if (!ends_ahead && IsGivenPrefetch(pipeline)) {
    time.ahead = std::max(time.ahead, part);
    ahead.Add(in_part);
  } else {
    (ends_ahead ? time.hand_over : time.in_line) = part;
  }
  const auto threads = static_cast<double>(PoolThreads(pipeline, host));
  time.ahead =
      std::max({time.ahead, ahead.work / host.busy_cores(), (ahead.work + ahead.wait) / threads});
  return time;
}

}  // namespace tilewise
