// What a kernel's windows take, in closed form, for passes that choose how many
// there are. They choose by the time that the simulator gives (window by
// window: sim/window_pipeline.h, held against this by tests), so that more of
// the hardware does no harm.

#pragma once

#include "hardware/chip.h"
#include "sim/lowering/program.h"

namespace tilewise {

// Bytes that windows take from where a value is, or leave there.
struct WindowBytes {
  double hbm = 0;
  double on_chip = 0;

  double all() const { return hbm + on_chip; }
  WindowBytes operator+(const WindowBytes& other) const {
    return {hbm + other.hbm, on_chip + other.on_chip};
  }
  WindowBytes operator-(const WindowBytes& other) const {
    return {hbm - other.hbm, on_chip - other.on_chip};
  }
  WindowBytes operator*(double times) const { return {hbm * times, on_chip * times}; }
};

// These are the costs of a kernel, whatever its windows.
struct WindowCosts {
  double compute = 0;  // seconds of all windows
  double at_peak = 0;  // the same with the MXU at its peak
  double fill = 0;     // seconds of the first one's work before it
  // Seconds of a byte, one direction at a time. A second on-chip memory has a
  // channel of its own; what is in VMEM is where the units take it from.
  double hbm = 0, on_chip = 0;
  // How many times longer transfers are while half of them are reads and half
  // writes, less 1.
  double turns = 0;
  double overhead = 0;  // seconds, of each window after the first
};

// `kernel` has its work; only what its traffic is depends on windows.
WindowCosts CostsOfWindows(const Kernel& kernel, const Chip& chip);

struct WindowTraffic {
  double steps = 1;
  WindowBytes read, written;  // by all windows
  WindowBytes first_read;     // by the first
  WindowBytes last_write;
};

// Seconds of the loop over the windows without its fixed latencies, double
// buffered when there is more than one. The first load and the last store have
// nothing overlaps them, all other transfers mix both directions. The channel
// waits for the first window's work, having loaded one more, and for the last
// one's, having stored the one before. The overhead of windows is in the share
// of its peak that the MXU achieves, up to what that share leaves for it.
double WindowTime(const WindowCosts& costs, const WindowTraffic& traffic);

// Returns a bound: no traffic of at least as many steps, bytes of HBM, and
// bytes of them in the first load and the last store, takes less.
double LeastWindowTime(const WindowCosts& costs, double steps, double hbm, double ends);

}  // namespace tilewise
