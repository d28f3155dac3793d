// How long a program waits for its first batch, with nothing cached and all buffers
// empty.

#pragma once

#include "hardware/target.h"
#include "pipeline/host_loop.h"
#include "pipeline/pipeline.h"

namespace tilewise {

struct FirstBatch {
  Seconds time;      // until it is made; no less
  Seconds shuffles;  // of it, until the shuffle buffers are full
};

FirstBatch TimeToFirstBatch(const Pipeline& pipeline, Framework framework, int64_t global_batch,
                            Bytes bytes_per_example, const Target& target);

}  // namespace tilewise
