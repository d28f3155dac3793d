// The reduced form of the channel model: tests/sim/hbm_channel_test.cc holds it
// against the model itself.

#include "hardware/hbm.h"

#include <algorithm>
#include <cmath>

namespace tilewise {
namespace {

// Seconds from one row opening to the next: the channel's activate limits, or a
// bank that is still busy with its last row. Both bind together when they are
// near each other; the exponent is set on the channel model.
double ActivateTime(const HbmChannels& hbm) {
  const double channel = std::max(hbm.t_rrd.value, hbm.t_faw.value / 4);
  const double bank = (hbm.t_ras + hbm.t_rp).value / static_cast<double>(hbm.banks);
  const double channel_squared = channel * channel;
  const double bank_squared = bank * bank;
  return std::sqrt(std::sqrt(channel_squared * channel_squared + bank_squared * bank_squared));
}

double RefreshShare(const HbmChannels& hbm) {
  return hbm.t_refi > Seconds{} ? hbm.t_rfc / hbm.t_refi : 0;
}

}  // namespace

double HbmEfficiency(const HbmChannels& hbm, double run_bytes, double mixed) {
  if (hbm.bytes_per_second.value <= 0) return 1;
  const double burst = static_cast<double>(hbm.burst_bytes);
  const double row = static_cast<double>(hbm.row_bytes);
  const double t_burst = hbm.burst_time().value;
  const double run = std::max(run_bytes, 1.0);
  const double bursts = std::ceil(run / burst);
  const double rows = std::ceil(run / row);
  const double t_run = std::max(bursts * t_burst, rows * ActivateTime(hbm));
  const double useful = run / burst * t_burst / t_run;
  const double turns =
      mixed * hbm.turnaround.value / (2 * static_cast<double>(hbm.batch) * t_burst);
  return useful * (1 - RefreshShare(hbm)) / (1 + turns);
}

}  // namespace tilewise
