// What is known about a program on a target.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/error_range.h"
#include "base/status.h"
#include "hardware/target.h"
#include "session/change.h"
#include "session/simulated.h"
#include "sim/timeline.h"
#include "workload/workload.h"

namespace tilewise {

class Session;

// What is known about a program at one point. Parts are null when the files did
// not give them.
struct Facts {
  const Workload& workload;
  const Target& target;
  const Session& session;              // answers what is asked beyond this
  const Graph* source = nullptr;       // forward graph, bound at batch_per_core
  const Simulated* model = nullptr;    // the step at batch_per_core
  const LoopTimeline* loop = nullptr;  // around it
  int64_t batch_per_core = 0;
  int64_t global_batch = 0;
  bool training = true;
  bool batch_assumed = false;  // nothing named a batch: a default stands in

  // Simulated device time per step of all kernels whose origin is `op`, of the
  // forward graph: forward, backward and update.
  Seconds TimeOf(OpId op) const;
  double ShareOf(OpId op) const;
  Seconds StepTime() const;  // device; zero without a model
  // Share guard: at least 1 % of the step's time, or at least 1 MiB and 1 % of
  // the HBM peak. Some MiB alone are nothing to act on: a large model has them
  // in every layer.
  bool WorthSaying(Seconds time, Bytes bytes) const;
  // Whether the user named this dim as one that cannot change.
  bool IsFixed(const Op& op, int64_t dim) const;
};

// What a run is about, as every report of it says.
struct RunSetting {
  std::string workload;  // file names
  std::string target;    // in words
  std::string chip;      // its name
  int64_t batch_per_core = 0, global_batch = 0, cores = 0;
  int64_t idle_cores = 0;            // of the slice, which the program leaves idle
  bool needs_strategy = false;       // before the cores share the batch, as the figures say
  std::string device = "core";       // "core", or "chip" where that is one device
  std::string batch_share = "core";  // what has batch_per_core examples: "core", "group of 8 cores"
  int64_t steps_per_execution = 1;
  // What sets them: "steps_per_execution"; empty where nothing does.
  std::string execution_setting = "steps_per_execution";
  Framework framework = Framework::kUnknown;
  bool training = true;
  // Why the figures are not those of the program, as a sentence; empty: nothing says so.
  std::string reservation;
  bool batch_assumed = false;  // nothing named a batch: the default stands in
  int64_t layers = 0;
  // What was read where there is no model: "an input pipeline of 4 stages"; empty: next to nothing.
  std::string read_besides;
  double costed_share = 1;                   // of layers
  std::optional<ErrorRange> measured_range;  // of the machine, by a profile of it
};
RunSetting SettingOf(const Facts& facts);

// Whether each core has all of the batch, as the step that a program builds does not tell which of
// its sizes is the batch.
bool HoldsWholeBatch(const Facts& facts);

// "conv1: f32[128,7,7,600] convolution(x, conv1/kernel)", marked at dim `dim`
// of the shape; -1: at nothing.
OpLine LineOfOp(const Graph& graph, OpId op, int64_t dim);

}  // namespace tilewise
