// Event by event for the first steps; once the pipeline has settled every step
// takes as long as the busier of channel and compute unit, so the rest is
// folded into a product.

#include "sim/window_pipeline.h"

#include <algorithm>
#include <array>

namespace tilewise {
namespace {

constexpr int64_t kSteppedThrough = 16;
using StepEnds = std::array<Seconds, kSteppedThrough>;

Seconds RunSerial(const WindowLoop& loop) {
  const bool moves = loop.load > Seconds{} || loop.store > Seconds{};
  const Seconds latency = moves ? loop.latency : Seconds{};
  const Seconds step = latency + loop.load + loop.compute + loop.store +
                       (loop.store > Seconds{} && loop.load > Seconds{} ? latency : Seconds{});
  return step * static_cast<double>(loop.steps) + loop.fill;
}

// Two buffers each for what comes in and what goes out: a load waits until the
// step two before it has been worked on, work waits until the result two
// before it has left.
Seconds RunDoubleBuffered(const WindowLoop& loop) {
  const size_t stepped = std::min(loop.steps, kSteppedThrough);
  StepEnds loaded, computed, stored;
  const auto before = [](const StepEnds& ends, size_t i, size_t distance) {
    return i < distance ? Seconds{} : ends[i - distance];
  };
  Seconds channel;  // free from then on
  const auto load_step = [&](size_t i) {
    const Seconds latency = i == 0 && FirstLoad(loop) > Seconds{} ? loop.latency : Seconds{};
    const Seconds load = i == 0 ? FirstLoad(loop) : loop.load * loop.mixing;
    loaded[i] = std::max(channel, before(computed, i, 2)) + latency + load;
    channel = loaded[i];
  };
  load_step(0);
  for (size_t i = 0; i < stepped; ++i) {
    const Seconds fill = i == 0 ? loop.fill : Seconds{};
    computed[i] =
        std::max({loaded[i], before(computed, i, 1), before(stored, i, 2)}) + fill + loop.compute;
    if (i + 1 < stepped) load_step(i + 1);
    const Seconds store = i + 1 == stepped ? LastStore(loop) : loop.store * loop.mixing;
    stored[i] = std::max(channel, computed[i]) + store;
    channel = stored[i];
  }
  const Seconds settled = std::max(loop.compute, (loop.load + loop.store) * loop.mixing);
  const Seconds folded = settled * static_cast<double>(loop.steps - static_cast<int64_t>(stepped));
  const Seconds last = LastStore(loop) > Seconds{} ? loop.latency : Seconds{};
  return stored[stepped - 1] + folded + last;
}

}  // namespace

Seconds FirstLoad(const WindowLoop& loop) {
  return loop.first_load > Seconds{} ? loop.first_load : loop.load;
}

Seconds LastStore(const WindowLoop& loop) {
  return loop.last_store > Seconds{} ? loop.last_store : loop.store;
}

Seconds RunWindowLoop(const WindowLoop& loop) {
  const Seconds overhead = loop.overhead * static_cast<double>(loop.steps - 1);
  return overhead + (loop.double_buffered ? RunDoubleBuffered(loop) : RunSerial(loop));
}

Seconds ChannelTime(const WindowLoop& loop) {
  const Seconds step = loop.load + loop.store;
  if (!loop.double_buffered) return step * static_cast<double>(loop.steps);
  return FirstLoad(loop) + LastStore(loop) +
         step * loop.mixing * static_cast<double>(loop.steps - 1);
}

}  // namespace tilewise
