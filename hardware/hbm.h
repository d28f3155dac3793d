// The channels of a device's HBM, and how much of their bandwidth a transfer
// can use. sim/hbm_channel.h is the model that the formula here is reduced
// from.

#pragma once

#include <cstdint>

#include "base/units.h"

namespace tilewise {

// The channels are all alike and take equal shares of every transfer.
struct HbmChannels {
  int64_t channels = 1;             // pseudo-channels of the device
  BytesPerSecond bytes_per_second;  // of each; 0 when nothing is known
  int64_t burst_bytes = 32;         // of one column access
  int64_t row_bytes = 1024;         // of one bank's row buffer
  int64_t banks = 16;               // of one channel
  Seconds t_rcd;                    // activate to column access
  Seconds t_rp;                     // precharge to activate
  Seconds t_ras;                    // activate to precharge
  Seconds t_rrd;                    // activate to activate of another bank
  Seconds t_faw;                    // four activates at most within it
  Seconds t_rfc;                    // one refresh of all banks
  Seconds t_refi;                   // from refresh to refresh; 0: none
  Seconds turnaround;               // bus idle for read, write, read again
  int64_t batch = 64;               // bursts in one direction before a turn

  Seconds burst_time() const { return Bytes{burst_bytes} / bytes_per_second; }
};

// Useful share, 0 to 1, of the channels' bandwidth for runs of `run_bytes`
// contiguous bytes. `mixed` is 0 when a transfer only reads or only writes and
// 1 when half of it is written. The longest of two counts: the bursts that a
// run moves, and the rows that it opens; then refresh and turnarounds take
// theirs.
double HbmEfficiency(const HbmChannels& hbm, double run_bytes, double mixed);

}  // namespace tilewise
