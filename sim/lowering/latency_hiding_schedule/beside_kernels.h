// Which kernels leave the core to others while they run.

#pragma once

#include "hardware/chip.h"
#include "sim/lowering/program.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {

// Copies to and from the host do, and collectives that the chip's compiler makes asynchronous.
inline bool RunsBesideKernels(const Kernel& kernel, const Chip& chip, const XlaFlags& flags) {
  if (kernel.kind == KernelKind::kHostCopy) return true;
  if (kernel.kind != KernelKind::kCollective) return false;
  switch (kernel.collective) {
    case OpKind::kAllGather:
      return kernel.by_sum ? chip.async_all_reduce : chip.async_all_gather;
    case OpKind::kCollectivePermute:
      return chip.async_all_gather;
    case OpKind::kReduceScatter:
      return chip.async_all_reduce || flags.scatters_on_sparse_cores;
    default:
      return chip.async_all_reduce;
  }
}

}  // namespace tilewise
