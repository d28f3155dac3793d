// Nameplate bandwidth, times what the channels allow, times what of that DMA
// reaches.

#include "sim/lowering/kernels/dma_rate.h"

#include <algorithm>

namespace tilewise {
namespace {

double Scaled(const Chip& chip, double share) {
  return chip.hbm_bandwidth.value * chip.hbm_efficiency * share;
}

}  // namespace

double StreamRate(const Chip& chip, double mixed) {
  const auto row = static_cast<double>(chip.hbm_channels.row_bytes);
  return Scaled(chip, HbmEfficiency(chip.hbm_channels, row, mixed));
}

double DmaRate(const Kernel& kernel, const Chip& chip) {
  const double stream = StreamRate(chip, 0);
  if (kernel.dma_row_efficiency >= 1) return stream;
  const double run = kernel.dma_row_efficiency * static_cast<double>(chip.dma_min_row_bytes);
  return std::min(stream * kernel.dma_row_efficiency,
                  Scaled(chip, HbmEfficiency(chip.hbm_channels, run, 0)));
}

double MixingFactor(double read, double written, const Chip& chip) {
  if (read <= 0 || written <= 0) return 1;
  const double mixed = 2 * std::min(read, written) / (read + written);
  return StreamRate(chip, 0) / StreamRate(chip, mixed);
}

Seconds CopyInTime(Bytes bytes, const Chip& chip) {
  return chip.kernel_overhead + chip.dma_latency +
         Seconds{static_cast<double>(bytes.value) / StreamRate(chip, 0)};
}

}  // namespace tilewise
