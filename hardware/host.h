// The machine that feeds the TPU, and what its software costs per step.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/units.h"

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
  Seconds per_execution;          // dispatch of one device program, Python included
  Seconds per_step;               // host work that remains for each step inside it
  Seconds per_epoch;              // fixed time of an epoch: iterator, metrics, callbacks
  BytesPerSecond feed_bandwidth;  // 0: the host's
  // Where a thread of its own prepares and sends batches while the device
  // works: the share, above 0 and at most 1, of the shorter of the two that is
  // not hidden. Absent: the loop's own work comes on top of the device's.
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
  // Input pipeline, one core.
  BytesPerSecond memory_copy_bandwidth;  // batch assembly, cache reads
  Seconds element_overhead;              // per element and stage
  Seconds map_overhead;                  // per map call beyond its ops
  Seconds python_call;                   // one call into Python: generator item, py_function
  BytesPerSecond elementwise_bandwidth;  // casts and arithmetic in a map function
  BytesPerSecond decode_bandwidth;       // decoded bytes out of JPEG/PNG decoding
  BytesPerSecond storage_bandwidth;      // records from storage, one stream
  std::vector<HostRuntime> runtimes;

  const HostRuntime& runtime(std::string_view framework) const;  // default if absent
};

}  // namespace tilewise
