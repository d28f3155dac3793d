// A LossSplit says where a span of time went: the useful work of the MXU, and
// each kind of time that comes on top of it. The parts of a split add up to the
// time.
//
// Time in which units work side by side counts once: as the MXU's as long as
// the MXU is busy, then as the vector unit's. So `vector` is what vector work
// adds to the MXU's time, and hidden HBM traffic counts nowhere. Padding is
// that of the MXU's work; padded registers and bytes are in `vector` and
// `memory_stall`.

#pragma once

#include <array>
#include <string_view>

#include "base/units.h"
#include "hardware/chip.h"
#include "sim/lowering/program.h"
#include "sim/timeline.h"

namespace tilewise {

struct LossSplit {
  Seconds useful;        // FLOPs of the model on the MXU at its peak
  Seconds passes;        // further passes over operands of more than bf16's precision
  Seconds padding;       // rows, columns and zeros that only fill up, idle MXUs
  Seconds weight_latch;  // rows wait until the next weight tile is latched
  Seconds fill_drain;    // pipelines that fill, and the MXU's share of peak
  Seconds vector;
  Seconds memory_stall;       // waits for HBM between the first and last window
  Seconds prologue_epilogue;  // first loads and last stores, nothing beside them
  Seconds overhead;           // fixed, of kernels and windows
  Seconds collective;         // collectives that no compute hides
  Seconds host;               // waits for the host or its memory
  bool operator==(const LossSplit&) const = default;

  Seconds total() const;
  LossSplit& operator+=(const LossSplit& other);
};

struct LossPart {
  std::string_view name;  // "memory stall"
  std::string_view key;   // "memory_stall"
  Seconds LossSplit::*seconds;
};
// These are all of them, `useful` first.
inline constexpr std::array<LossPart, 11> kLossParts = {{
    {"useful MXU work", "useful", &LossSplit::useful},
    {"precision passes", "passes", &LossSplit::passes},
    {"MXU padding", "padding", &LossSplit::padding},
    {"weight latch", "weight_latch", &LossSplit::weight_latch},
    {"fill and drain", "fill_drain", &LossSplit::fill_drain},
    {"vector work", "vector", &LossSplit::vector},
    {"HBM stall", "memory_stall", &LossSplit::memory_stall},
    {"first load, last store", "prologue_epilogue", &LossSplit::prologue_epilogue},
    {"fixed overhead", "overhead", &LossSplit::overhead},
    {"collectives", "collective", &LossSplit::collective},
    {"host", "host", &LossSplit::host},
}};

// The part other than `useful` that takes most; the first one of equals.
const LossPart& LargestLoss(const LossSplit& split);

// Splits a kernel's duration. A collective is all `collective`, a copy to or
// from host memory all `host`.
LossSplit SplitKernel(const Kernel& kernel, const KernelSpan& span, const Chip& chip);

// Splits the step on the device. Overlapped collectives count only where
// kernels wait for them.
LossSplit SplitStep(const Program& program, const Timeline& timeline, const Chip& chip);

// Splits the step by the wall clock: the device's split and the host's share.
LossSplit SplitWallStep(const LossSplit& device, const LoopTimeline& loop);

// The roofline of one core at bf16 peak and nameplate HBM bandwidth.
struct Roofline {
  double intensity = 0;   // useful FLOPs per byte of HBM traffic; 0: no traffic
  double attainable = 0;  // FLOP/s at that intensity
  double achieved = 0;    // useful FLOP/s
  double hbm_share = 0;   // achieved HBM traffic / nameplate bandwidth
};
Roofline RooflineOf(const Kernel& kernel, const KernelSpan& span, const Chip& chip);

}  // namespace tilewise
