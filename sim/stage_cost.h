// What each stage of an input pipeline costs the host for one global batch.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "hardware/host.h"
#include "pipeline/pipeline.h"

namespace tilewise {

// Cold caches are being filled, in the first epoch; warm ones answer instead of
// the stages above them, and the memory of the host for its own disk.
enum class CacheState : uint8_t { kCold, kWarm };

struct StageCost {
  Seconds work;               // of a core
  Seconds wait;               // for storage or Python's lock, a core is free
  Seconds shared;             // what all cores have one of: memory, the store
  double parallelism = 1;     // calls at once, as the stage is written
  bool asynchronous = false;  // works ahead of who asks it for elements
  Seconds hand_over;          // to the thread that asks, where it is asynchronous
  // Calls whose cost is not known; each is charged one pass over its element.
  std::vector<std::string> unknown_ops;
  // Returns the time on one thread.
  Seconds per_batch() const { return std::max(work + wait, shared); }
};

// The name of a store whose rates the user has stated: where the data lie does not count then.
inline constexpr std::string_view kStatedStore = "stated";

// Whether the paths of its source say that it is read from the host's own disk: none names a
// bucket or another machine, and none is assumed.
bool ReadsOwnDisk(const Pipeline& pipeline, const Host& host);

// Threads that run the functions of asynchronous stages: as many as vCPUs, or as
// an option of the pipeline says.
int64_t PoolThreads(const Pipeline& pipeline, const Host& host);

// One entry a stage. AUTOTUNE counts as all threads, a count that cannot be resolved as 1, and
// one that is absent as what the release of TensorFlow makes of it (IsMadeParallel); 1 where the
// release is not known. Stages above a warm cache cost nothing.
std::vector<StageCost> CostStages(const Pipeline& pipeline, int64_t global_batch,
                                  Bytes bytes_per_example, const Host& host,
                                  CacheState caches = CacheState::kWarm);

}  // namespace tilewise
