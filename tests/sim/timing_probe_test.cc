// One row a unit: a kernel that only that unit works on, and the cycles after
// which its result is there by the unit's documented rate. A probe one cycle
// early finds it not ready, a probe on time does.

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "sim/simulate.h"

namespace tilewise {
namespace {

constexpr double kCycle = 1e-9;  // seconds: a clock of 1 GHz

// Fixed times are zero but for those that a row is about.
Target Machine() {
  Target target;
  Chip& chip = target.chip;
  chip.clock_hz = 1 / kCycle;
  chip.mxus = 2;
  chip.latch_cycles = 32;
  chip.mxu_fill_cycles = 150;
  chip.vector_alu_slots = 2;
  chip.vector_loads_per_cycle = 1;
  chip.vector_stores_per_cycle = 1;
  chip.transcendental_per_cycle = 0.5;
  chip.cross_lane_cycles = 8;
  chip.hbm_bandwidth = {500e9};  // 500 bytes a cycle
  chip.dma_latency = {300 * kCycle};
  chip.cores_per_chip = 1;
  chip.torus_dims = 1;
  chip.ici_link_bandwidth = {50e9};  // 50 bytes a cycle
  chip.ici_hop_latency = {1000 * kCycle};
  chip.dcn_bandwidth = {10e9};
  target.cores = 2;
  HostRuntime& runtime = target.host.runtimes.emplace_back();
  runtime.framework = "keras";
  runtime.per_execution = {8000 * kCycle};
  runtime.per_step = {70 * kCycle};
  target.host.feed_bandwidth = {4e9};  // 4 bytes a cycle
  target.host.feed_latency = {20 * kCycle};
  target.host.memory_copy_bandwidth = {1e12};
  target.host.store.stream = target.host.store.total = {1e12};
  return target;
}

Seconds TimeOf(const Kernel& kernel) {
  Program program;
  program.kernels = {kernel};
  return SimulateStep(program, Machine()).step;
}

Kernel Matrix(int64_t tiles, int64_t rows, int64_t passes = 1) {
  Kernel kernel;
  kernel.kind = KernelKind::kMatrix;
  kernel.matrix = {.weight_tiles = tiles, .rows_per_tile = rows, .passes = passes};
  return kernel;
}

Kernel Vector(const VectorWork& work) {
  Kernel kernel;
  kernel.vector = work;
  return kernel;
}

Kernel Moved(Bytes read, Bytes written, int64_t steps = 1) {
  Kernel kernel;
  kernel.hbm_read = read;
  kernel.hbm_write = written;
  kernel.windows.steps = steps;
  kernel.windows.buffers = steps > 1 ? 2 : 1;
  return kernel;
}

Kernel Exchange(OpKind kind, Bytes bytes) {
  Kernel kernel;
  kernel.kind = KernelKind::kCollective;
  kernel.collective = kind;
  kernel.collective_bytes = bytes;
  kernel.participants = 2;
  return kernel;
}

// Wall time of a step of 1000 cycles on the device, arrays already in memory.
Seconds Loop(int64_t steps_per_execution, Bytes bytes_per_example) {
  Timeline step;
  step.step = {1000 * kCycle};
  LoopInput input;
  input.step = &step;
  input.global_batch = 1;
  input.steps_per_execution = steps_per_execution;
  input.bytes_per_example = bytes_per_example;
  return SimulateLoop(input, Machine()).step;
}

struct Probe {
  const char* unit;
  std::function<Seconds()> time;
  int64_t cycles;
  const char* why;
};

const std::vector<Probe>& Probes() {
  static const std::vector<Probe> probes = {
      {"MXU, rows", [] { return TimeOf(Matrix(10, 400)); }, 5 * 400 + 150,
       "ten tiles on two units, one row a cycle, then the fill"},
      {"MXU, latch", [] { return TimeOf(Matrix(10, 16)); }, 5 * 32 + 150,
       "fewer rows than it takes to latch the next tile"},
      {"MXU, passes", [] { return TimeOf(Matrix(10, 400, 3)); }, 3 * 5 * 400 + 150,
       "three passes over the same rows"},
      {"MXU, one tile", [] { return TimeOf(Matrix(1, 400)); }, 200 + 150,
       "the rows of a single tile are shared out to both units"},
      {"vector ALU", [] { return TimeOf(Vector({.alu = 1000})); }, 500, "two slots"},
      {"transcendental", [] { return TimeOf(Vector({.transcendental = 1000})); }, 2000,
       "one every other cycle"},
      {"cross-lane", [] { return TimeOf(Vector({.cross_lane = 1000})); }, 8000,
       "eight cycles a register"},
      {"load", [] { return TimeOf(Vector({.loads = 1000})); }, 1000, "one a cycle"},
      {"store", [] { return TimeOf(Vector({.stores = 1000})); }, 1000, "one a cycle"},
      {"vector unit, all slots",
       [] {
         return TimeOf(Vector(
             {.alu = 1000, .transcendental = 300, .cross_lane = 10, .loads = 700, .stores = 400}));
       },
       700, "slots issue side by side: the longest"},
      {"DMA in", [] { return TimeOf(Moved({50000}, {})); }, 300 + 100, "latency and transfer"},
      {"DMA out", [] { return TimeOf(Moved({}, {50000})); }, 300 + 100, "latency and transfer"},
      {"DMA, windows", [] { return TimeOf(Moved({50000}, {50000}, 4)); }, 300 + 200 + 300,
       "both directions share the channel, latency at the ends"},
      {"ICI, gather", [] { return TimeOf(Exchange(OpKind::kAllGather, {100000})); }, 1000 + 1000,
       "half of the bytes over one link, and a hop"},
      {"ICI, sum", [] { return TimeOf(Exchange(OpKind::kAllReduce, {100000})); }, 2 * (1000 + 1000),
       "scattered, then gathered"},
      {"ICI, permute", [] { return TimeOf(Exchange(OpKind::kCollectivePermute, {100000})); },
       2000 + 1000, "all bytes over one link, and a hop"},
      {"host, dispatch", [] { return Loop(1, {}); }, 1000 + 8000 + 70, "one execution a step"},
      {"host, several steps", [] { return Loop(8, {}); }, 1000 + 1000 + 70,
       "an eighth of the dispatch each"},
      {"host, feed", [] { return Loop(1, {40000}); }, 20 + 10000 + 8000 + 70,
       "a batch takes longer to send than to work on"},
  };
  return probes;
}

bool IsReady(const Probe& probe, int64_t cycle) {
  constexpr double kRounding = 1e-6;  // of a cycle
  return probe.time().value / kCycle <= static_cast<double>(cycle) + kRounding;
}

TEST(TimingProbe, OneCycleEarlyFindsNothing) {
  for (const Probe& probe : Probes()) {
    EXPECT_FALSE(IsReady(probe, probe.cycles - 1))
        << probe.unit << ": " << probe.why << "; took " << probe.time().value / kCycle << " cycles";
  }
}

TEST(TimingProbe, OnTimeFindsTheResult) {
  for (const Probe& probe : Probes()) {
    EXPECT_TRUE(IsReady(probe, probe.cycles))
        << probe.unit << ": " << probe.why << "; took " << probe.time().value / kCycle << " cycles";
  }
}

}  // namespace
}  // namespace tilewise
