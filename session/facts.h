// What is known about a program on a target.

#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/diagnostic.h"
#include "base/status.h"
#include "hardware/target.h"
#include "session/change.h"
#include "session/simulated.h"
#include "sim/timeline.h"
#include "workload/workload.h"

namespace tilewise {

// Everything known. Parts are null when the files did not give them: a rule
// that needs one returns silently.
struct Facts {
  const Workload& workload;
  const Target& target;
  const Graph* source = nullptr;       // forward graph, bound at batch_per_core
  const Simulated* model = nullptr;    // the step at batch_per_core
  const LoopTimeline* loop = nullptr;  // around it
  int64_t batch_per_core = 0;
  int64_t global_batch = 0;
  bool training = true;
  bool batch_assumed = false;  // nothing named a batch: a default stands in
  // The model at another batch per core; null when it cannot be lowered there.
  // Results are kept, so asking twice costs nothing.
  std::function<const Simulated*(int64_t batch_per_core)> at_batch = nullptr;
  // The loop around `step` with other settings.
  std::function<LoopTimeline(const Simulated&, int64_t global_batch,
                             int64_t steps_per_execution)>
      loop_with = nullptr;
  // The loop around `model` fed by another pipeline: one with a fix applied.
  std::function<LoopTimeline(const Pipeline&)> loop_fed_by = nullptr;
  // The step and the loop with changes made, from several threads at once if
  // need be. Errors: no model, changes that do not fit the graph or contradict
  // each other, a graph that cannot be lowered.
  std::function<absl::StatusOr<Outcome>(std::span<const Change* const>)>
      outcome_of = nullptr;
  // The two halves of outcome_of: what is lowered again, and the loop around
  // it, which is cheap. Both are given all changes.
  std::function<absl::StatusOr<ChangedStep>(std::span<const Change* const>)>
      step_with = nullptr;
  std::function<absl::StatusOr<Outcome>(const ChangedStep&,
                                        std::span<const Change* const>)>
      outcome_around = nullptr;
  // Whether the user named dim `dim` of an op, of `source` or of the lowered
  // graph, as one that cannot change; null: none was named.
  std::function<bool(const Op& op, int64_t dim)> fixed_dim = nullptr;

  // Simulated device time per step of all kernels whose origin is `op`, of the
  // forward graph: forward, backward and update.
  Seconds TimeOf(OpId op) const;
  double ShareOf(OpId op) const;
  Seconds StepTime() const;  // device; zero without a model
  // Share guard: at least 1 % of the step's time, or at least 1 MiB and 1 % of
  // the HBM peak. Some MiB alone are nothing to act on: a large model has them
  // in every layer.
  bool WorthSaying(Seconds time, Bytes bytes) const;
  bool IsFixed(const Op& op, int64_t dim) const {
    return fixed_dim != nullptr && fixed_dim(op, dim);
  }
};

// "conv1: f32[128,7,7,600] convolution(x, conv1/kernel)", marked at dim `dim`
// of the shape; -1: at nothing.
OpLine LineOfOp(const Graph& graph, OpId op, int64_t dim);

}  // namespace tilewise
