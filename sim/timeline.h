// What the simulation saw: spans on the device's resources for one step, and
// the loop around it on the host.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "sim/lowering/program.h"

namespace tilewise {

enum class Bound : uint8_t {
  kMatrix,
  kVector,
  kMemory,
  kOverhead,
  kCollective,
  kLatency,
  kHostLink,
};
std::string_view BoundName(Bound bound);  // "MXU", "vector", "HBM", ...

// One kernel's time on the device. The parts do not overlap in the sum:
// total = compute + exposed_memory + overhead, where compute is the longer of
// MXU and vector time including what they wait for each other.
struct KernelSpan {
  KernelId kernel = 0;
  Seconds start;  // from the start of the step
  Seconds duration;
  Seconds mxu_busy;    // MXU taking rows, padding included
  Seconds mxu_useful;  // what the useful FLOPs need at peak
  Seconds vector_busy;
  Seconds dma_busy;        // HBM moving bytes
  Seconds exposed_memory;  // waiting for HBM while nothing computes
  Seconds overhead;
  Seconds fill;             // of the MXU before its first result
  Seconds exposed_ends;     // of exposed_memory: first loads and last stores
  Seconds window_overhead;  // of exposed_memory: what each next window costs
  Seconds host_wait;        // before `start`: for a copy from host memory
  Bound bound = Bound::kOverhead;
};

// One training (or inference) step on one core, all cores alike.
struct Timeline {
  std::vector<KernelSpan> spans;  // in issue order
  Seconds step;                   // device time of one step
  Seconds mxu_busy, vector_busy, dma_busy, collective;
  Seconds exposed_collective;  // part of `step` that waits for collectives
  Seconds exposed_host_copy;   // the same, for copies to and from host memory
  double useful_flops = 0;     // per core
  double mxu_use = 0;          // useful FLOPs / (step x peak of their types), 0..1
};

// What a step is busy with longest: "MXU", "vector", "HBM", "collective".
std::string_view LongestPart(const Timeline& step);

// These say where the host spends its time per step, and what an epoch costs.
struct StageTime {
  std::size_t stage = 0;                 // index in Pipeline::stages
  Seconds per_batch;                     // for one global batch, on one thread
  Seconds work;                          // of it, of a core; for the rest it waits
  double parallelism = 1;                // cores it can use
  Seconds shared;                        // of what they have one of: memory, the store
  std::vector<std::string> unknown_ops;  // that have no known cost
};

struct LoopTimeline {
  Seconds device_step;
  Seconds input;                // pipeline time per global batch, as parallel as it is written
  Seconds transfer;             // host -> devices per global batch
  bool input_overlaps = false;  // prepared while the device works
  Seconds dispatch;             // per step: per_execution / steps_per_execution + per_step
  Seconds step;                 // wall time per step in the steady state
  Seconds exposed_host;         // part of `step` during which the device waits
  std::vector<StageTime> stages;
  int64_t steps_per_epoch = 0;  // 0: unknown
  Seconds epoch;                // 0 steps: zero
  Seconds epoch_host;           // part of the epoch in which the device waits
  // These are the times while caches are filled: what stands above them runs
  // once more. They are equal to `step` and `epoch` when nothing is cached.
  Seconds first_step;
  Seconds first_epoch;
  double mxu_use = 0;  // over wall time
  double examples_per_second = 0;
};

}  // namespace tilewise
