// Steady state of a chain of queues: the slowest part sets the pace, and all
// parts together cannot use more cores than there are.

#include "sim/input_time.h"

#include <algorithm>

namespace tilewise {

InputTime TimeInput(const std::vector<StageCost>& stages, const Pipeline& pipeline,
                    const Host& host, CacheState caches) {
  InputTime time;
  Seconds work_ahead;    // of cores, in all parts but the open one
  Seconds part;          // the open part, on its thread
  Seconds work_in_part;  // of cores
  for (size_t i = 0; i < stages.size(); ++i) {
    const StageCost& stage = stages[i];
    if (caches == CacheState::kWarm && pipeline.stages[i].kind == StageKind::kCache) {
      time.ahead = work_ahead = part = work_in_part = {};
    }
    if (!stage.asynchronous) {
      part += stage.per_batch();
      work_in_part += stage.work;
      continue;
    }
    const Seconds own = std::max((stage.work + stage.wait) / stage.parallelism, stage.shared);
    time.ahead = std::max({time.ahead, part, own});
    work_ahead += work_in_part + stage.work;
    part = work_in_part = {};
  }
  time.in_line = part;
  time.ahead = std::max(time.ahead, work_ahead / host.busy_cores());
  return time;
}

}  // namespace tilewise
