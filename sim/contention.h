// What transfers that overlap kernels take from the HBM bandwidth.

#pragma once

#include <vector>

#include "hardware/chip.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"

namespace tilewise {

// Bytes that a collective or a host copy moves into and out of one device's
// HBM. In a ring every part that a device passes on is written and read.
Bytes TrafficBeside(const Kernel& transfer);

// Calls come in the order of the program, with starts that do not go back.
class Contention {
 public:
  explicit Contention(const Chip& chip) : bandwidth_(chip.hbm_bandwidth) {}

  // `bytes` move at an even rate from `start` to `end`.
  void Add(Seconds start, Seconds end, Bytes bytes);

  // Makes a kernel longer by what its own transfers then lack: HBM is busy with
  // both, one after the other. A kernel that waits for other units loses
  // nothing until HBM has no time left.
  void Slow(KernelSpan& span);

 private:
  struct Transfer {
    Seconds start, end;
    double share = 0;  // of the bandwidth
  };
  BytesPerSecond bandwidth_;
  std::vector<Transfer> transfers_;
};

}  // namespace tilewise
