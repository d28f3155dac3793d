// How large one example is where it crosses from host to device.

#pragma once

#include "base/units.h"
#include "workload/workload.h"

namespace tilewise {

// From the training pipeline's items where they are known, else from the
// model's inputs that have a batch dim (labels are small and not counted
// then), else zero.
Bytes BytesPerExample(const Workload& workload);

}  // namespace tilewise
