// Event by event for the first steps; once the pipeline has settled every step
// takes as long as the busier of channel and compute unit, so the rest is
// folded into a product.

#include "sim/window_pipeline.h"

#include <algorithm>
#include <vector>

namespace tilewise {
namespace {

constexpr int64_t kSteppedThrough = 16;

Seconds RunSerial(const WindowLoop& loop) {
  const bool moves = loop.load > Seconds{} || loop.store > Seconds{};
  const Seconds latency = moves ? loop.latency : Seconds{};
  const Seconds step =
      latency + loop.load + loop.compute + loop.store +
      (loop.store > Seconds{} && loop.load > Seconds{} ? latency : Seconds{});
  return step * static_cast<double>(loop.steps) + loop.fill;
}

// Two buffers each for what comes in and what goes out: a load waits until the
// step two before it has been worked on, work waits until the result two
// before it has left.
Seconds RunDoubleBuffered(const WindowLoop& loop) {
  const auto stepped =
      static_cast<size_t>(std::min(loop.steps, kSteppedThrough));
  std::vector<Seconds> loaded(stepped), computed(stepped), stored(stepped);
  const auto before = [](const std::vector<Seconds>& ends, size_t i,
                         size_t distance) {
    return i < distance ? Seconds{} : ends[i - distance];
  };
  Seconds channel;  // free from then on
  const auto load_step = [&](size_t i) {
    const Seconds latency =
        i == 0 && loop.load > Seconds{} ? loop.latency : Seconds{};
    loaded[i] = std::max(channel, before(computed, i, 2)) + latency + loop.load;
    channel = loaded[i];
  };
  load_step(0);
  for (size_t i = 0; i < stepped; ++i) {
    const Seconds fill = i == 0 ? loop.fill : Seconds{};
    computed[i] =
        std::max({loaded[i], before(computed, i, 1), before(stored, i, 2)}) +
        fill + loop.compute;
    if (i + 1 < stepped) load_step(i + 1);
    stored[i] = std::max(channel, computed[i]) + loop.store;
    channel = stored[i];
  }
  const Seconds settled = std::max(loop.compute, loop.load + loop.store);
  const Seconds folded =
      settled * static_cast<double>(loop.steps - static_cast<int64_t>(stepped));
  const Seconds last = loop.store > Seconds{} ? loop.latency : Seconds{};
  return stored.back() + folded + last;
}

}  // namespace

Seconds RunWindowLoop(const WindowLoop& loop) {
  return loop.double_buffered ? RunDoubleBuffered(loop) : RunSerial(loop);
}

}  // namespace tilewise
