// How large one example is where it crosses from host to device.

#pragma once

#include "base/units.h"
#include "workload/workload.h"

namespace tilewise {

// From the training pipeline's items where they are known, else from the
// inputs with a batch dim of a model that was read from a file (labels are
// small and not counted then), else zero.
Bytes BytesPerExample(const Workload& workload);

}  // namespace tilewise
