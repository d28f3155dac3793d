// How fast DMA moves a kernel's windows between HBM and on-chip memory.

#pragma once

#include "base/units.h"
#include "hardware/chip.h"
#include "sim/lowering/program.h"

namespace tilewise {

// Bytes per second of a long transfer; `mixed` as for HbmEfficiency.
double StreamRate(const Chip& chip, double mixed);

// Bytes per second of the kernel's transfers in one direction at a time. Rows
// shorter than `dma_min_row_bytes` lose to the on-chip network's granule or to
// rows opened in HBM, whichever takes more.
double DmaRate(const Kernel& kernel, const Chip& chip);

// How much longer so many bytes of loads and of stores take that run beside
// each other, where the channels turn from reads to writes and back; at
// least 1.
double MixingFactor(double read, double written, const Chip& chip);

// A copy from HBM to on-chip memory that nothing overlaps.
Seconds CopyInTime(Bytes bytes, const Chip& chip);

}  // namespace tilewise
