// How large one example is where it crosses from host to device.

#pragma once

#include "base/units.h"
#include "workload/workload.h"

namespace tilewise {

// Returns the size from the training pipeline's items where they are known,
// else from the inputs with a batch dim of a model that was read from a file
// (labels are small and not counted then), else zero. `graph`: the workload's,
// or that with the batch free where a file fixed it; null: none.
Bytes BytesPerExample(const Workload& workload, const Graph* graph);
inline Bytes BytesPerExample(const Workload& workload) {
  return BytesPerExample(workload, workload.graph ? &*workload.graph : nullptr);
}

}  // namespace tilewise
