// Which kernels leave the core to others while they run.

#pragma once

#include "hardware/chip.h"
#include "sim/lowering/program.h"

namespace tilewise {

// Copies to and from the host do, and collectives that the chip's compiler makes asynchronous.
inline bool RunsBesideKernels(const Kernel& kernel, const Chip& chip) {
  if (kernel.kind == KernelKind::kHostCopy) return true;
  if (kernel.kind != KernelKind::kCollective) return false;
  switch (kernel.collective) {
    case OpKind::kAllGather:
    case OpKind::kCollectivePermute:
      return chip.async_all_gather;
    default:
      return chip.async_all_reduce;
  }
}

}  // namespace tilewise
