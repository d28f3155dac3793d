// The machine that feeds the TPU, and what its software costs per step.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/units.h"
#include "hardware/pipeline_costs.h"

namespace tilewise {

// What the compiler that comes with a framework does with the training step.
struct CompilerHabits {
  bool combines_all_reduces = true;  // else one for each gradient
  bool fuses_updates = true;         // all new values of a variable and its slots in
                                     // one kernel; else a kernel for each
  // Where memory is short, kernels that read a variable which the step
  // overwrites may run again; else they never do.
  bool recomputes_weight_readers = true;
};

// Costs of one way to drive the device ("keras", "keras-tf1", ...; see
// FrameworkName). The first entry is the default.
struct HostRuntime {
  std::string framework;
  Seconds per_execution;  // dispatch of one device program, Python included
  // The same where it holds several steps, which the loop waits for; absent: alike.
  std::optional<Seconds> per_loop;
  Seconds per_step;               // host work that remains for each step inside it
  Seconds per_epoch;              // fixed time of an epoch: iterator, metrics, callbacks
  BytesPerSecond feed_bandwidth;  // 0: the host's
  // A thread of its own may prepare and send batches while the device works. This is then the
  // share, above 0 and at most 1, of the shorter of the two that is not hidden. Absent: the loop's
  // own work comes on top of the device's.
  std::optional<double> exposed_share;
  CompilerHabits compiler;
  bool feeds_slice = false;  // one machine feeds all chips; else each host its own
};

struct Host {
  std::string name;  // "colab"
  std::string description;
  int64_t vcpus = 1;
  Bytes ram;
  BytesPerSecond feed_bandwidth;  // host memory to all devices together
  Seconds feed_latency;           // of one transfer
  // Input pipeline.
  BytesPerSecond memory_copy_bandwidth;  // one core: batch assembly, cache reads
  Cpu cpu;
  Store store;  // where files and records are read from
  Store disk;   // the machine's own
  Bytes disk_size;
  std::vector<HostRuntime> runtimes;

  const HostRuntime& runtime(std::string_view framework) const;  // default if absent
  // Cores like one with its neighbours idle that all vCPUs together are worth.
  double busy_cores() const;
};

}  // namespace tilewise
