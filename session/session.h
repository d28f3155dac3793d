// A workload on a target under the settings of a run: its step and the loop
// around it, at any batch and with any change. Nothing else lowers or simulates
// a workload, so that every command gives one answer for one point.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "graph/training.h"
#include "session/change.h"
#include "session/facts.h"
#include "session/simulated.h"
#include "sim/lowering/lower.h"

namespace tilewise {

// Batch per core when nothing names a batch.
inline constexpr int64_t kAssumedBatchPerCore = 128;

struct SessionOptions {
  int64_t global_batch = 0;   // 0: as declared in the files, else assumed
  bool training = true;       // gradients are added, unless the graph has its own
  bool shard_update = false;  // see LowerOptions
  XlaFlags xla_flags;
  std::optional<TrainingSpec> spec;            // unset: from the files
  std::optional<int64_t> steps_per_execution;  // unset: from the files
  std::optional<int64_t> examples_per_epoch;   // unset: from the files
  std::optional<int64_t> steps_per_epoch;      // unset: from the files
  std::vector<std::string> disabled_passes;
  // Unset: those of the framework's runtime on the target's host.
  std::optional<CompilerHabits> compiler;
  std::optional<MatmulCuts> matmul_cuts;  // see LowerOptions
  // These are the bytes of one example that cross to the device; unset: from
  // the files.
  std::optional<Bytes> bytes_per_example;
  Bytes one_hot_bytes_per_example;  // see LoopInput
  // What sessions of other settings have partitioned of the same graphs; may be null.
  std::shared_ptr<PartitionedSteps> partitioned;
  // Changes a lowered step before it is simulated: a measurement states more of
  // it than a model says. May be empty.
  std::function<absl::Status(Program&)> adjust_program;
  // Whether the user named dim `dim` of an op, of the model or of the lowered
  // graph, as one that cannot change; empty: none was named.
  std::function<bool(const Op& op, int64_t dim)> fixed_dim;
};

// The workload and the target must outlive the session. All methods may be
// called from several threads at once; results are kept, so asking twice costs
// nothing. A model that does not fit in HBM is simulated all the same.
class Session {
 public:
  Session(const Workload& workload, const Target& target, const SessionOptions& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Workload& workload() const { return workload_; }
  const Target& target() const { return target_; }
  const SessionOptions& options() const { return options_; }
  const TrainingSpec& spec() const { return lower_.spec; }
  int64_t batch_per_core() const { return facts_.batch_per_core; }
  int64_t global_batch() const { return facts_.global_batch; }
  bool batch_assumed() const { return facts_.batch_assumed; }
  // Whether gradients are added to the model.
  bool adds_gradients() const { return lower_.training; }
  int64_t steps_per_execution() const { return steps_per_execution_; }
  std::optional<int64_t> examples_per_epoch() const { return examples_; }
  std::optional<int64_t> steps_per_epoch() const { return steps_; }

  // What is known at the batch of the settings. The model is lowered when this
  // is asked for first.
  const Facts& facts() const;
  // The step at that batch and the loop around it; null without a model.
  const Simulated* Step() const { return facts().model; }
  const LoopTimeline* Loop() const { return facts().loop; }
  // RD003 and RD004: why the model could not be lowered, what of the settings
  // means nothing for it; empty without a model.
  const std::vector<Diagnostic>& notes() const;

  // Returns the bytes of one example that cross to the device where the
  // pipeline does not say.
  Bytes ExampleBytes() const;

  // The step at another batch per core; null when it cannot be lowered there.
  const Simulated* AtBatch(int64_t batch_per_core) const;
  // The same in short, without keeping its program. Errors: those of Lower; a
  // batch that is written into the graph and cannot be separated.
  absl::StatusOr<StepTotals> StepAt(int64_t batch_per_core, StepLimits limits = {}) const;

  // The loop around a step with other settings; `pipeline` may be null.
  LoopTimeline Loop(const Timeline& step, int64_t global_batch, int64_t steps_per_execution,
                    const Pipeline* pipeline) const;
  LoopTimeline Loop(const Timeline& step, int64_t global_batch, int64_t steps_per_execution) const {
    return Loop(step, global_batch, steps_per_execution, workload_.training_pipeline());
  }
  // The loop around the model fed by another pipeline: one with a fix applied.
  LoopTimeline LoopFedBy(const Pipeline& pipeline) const;

  // The step and the loop with changes made. Errors: no model, changes that do
  // not fit the graph or contradict each other, a graph that cannot be lowered.
  absl::StatusOr<Outcome> OutcomeOf(std::span<const Change* const> changes) const;
  // The two halves of OutcomeOf: what is lowered again, and the loop around it,
  // which is cheap. Both are given all changes. A step that bounds tell to be beyond
  // the limits is not simulated.
  absl::StatusOr<StepTotals> StepWith(std::span<const Change* const> changes,
                                      StepLimits limits = {}) const;
  absl::StatusOr<Outcome> OutcomeAround(const StepTotals& step,
                                        std::span<const Change* const> changes) const;

  // Lowers the model once more and shows its program after every pass.
  using AfterPass = std::function<void(std::string_view, const Program&)>;
  absl::Status ShowPasses(const AfterPass& show) const;

 private:
  struct Entry {
    std::once_flag lowered;
    std::unique_ptr<const Simulated> step;
    absl::Status status;
  };

  void ChooseBatch();
  void LowerModel() const;
  const Entry& EntryAt(int64_t batch_per_core) const;
  absl::StatusOr<Program> LowerGraph(const Graph& graph, int64_t batch_per_core,
                                     const LowerOptions& options) const;
  // The graph as it was read or, for a batch other than that of the settings,
  // with one that the file fixed separated.
  absl::StatusOr<const Graph*> GraphFor(int64_t batch_per_core) const;
  const absl::StatusOr<Graph>& FreeGraph() const;

  // session/changed_step.cc
  Seconds PartialBatchWaste(const Pipeline& pipeline, Seconds full, int64_t global_batch,
                            int64_t steps_per_execution) const;
  absl::StatusOr<Graph> ChangedGraph(const Change& change, int64_t batch_per_core) const;
  // The same, once for graphs that are equal: several findings may want one change.
  absl::StatusOr<StepTotals> LowerChangedOnce(Graph graph, int64_t batch_per_core,
                                              StepLimits limits) const;
  absl::StatusOr<StepTotals> LowerChanged(const Graph& graph, int64_t batch_per_core,
                                          const Compilation* compilation,
                                          StepLimits limits = {}) const;
  // Lowers and simulates a graph as far as the limits ask for.
  absl::StatusOr<StepTotals> TotalsWithin(const Graph& graph, int64_t batch_per_core,
                                          LowerOptions options, StepLimits limits) const;
  absl::StatusOr<StepTotals> ChangeCompiled(const Change& change, const Graph& graph,
                                            int64_t batch_per_core) const;
  absl::StatusOr<StepTotals> LikeCompiled(StepTotals changed, int64_t batch_per_core) const;
  // A compiled module's step in layouts and kernels of our own.
  absl::StatusOr<StepTotals> Recompiled(int64_t batch_per_core) const;

  const Workload& workload_;
  const Target target_;  // with the clock that the flags ask for
  const SessionOptions options_;
  LowerOptions lower_;
  int64_t steps_per_execution_ = 1;
  std::optional<int64_t> examples_;
  std::optional<int64_t> steps_;

  mutable std::once_flag lowered_;  // guards what follows
  mutable std::optional<Graph> bound_;
  mutable std::optional<LoopTimeline> loop_;
  mutable std::vector<Diagnostic> notes_;
  mutable Facts facts_;

  mutable std::once_flag freed_;
  mutable absl::StatusOr<Graph> free_ = InvalidInput("not asked for yet");
  mutable std::mutex mutex_;  // guards the maps, not their entries
  mutable std::map<int64_t, Entry> by_batch_;
  mutable std::map<int64_t, absl::StatusOr<StepTotals>> totals_;
  mutable std::map<int64_t, absl::StatusOr<StepTotals>> recompiled_;
  struct ChangedStep {
    int64_t batch_per_core = 0;
    Graph graph;
    StepTotals totals;
  };
  mutable std::deque<ChangedStep> changed_;  // the last few
};

// Errors: options that make no sense (a batch below 0 or too large for the
// model's tensors). A model that cannot be lowered leaves a note and facts
// without a model.
absl::StatusOr<std::unique_ptr<const Session>> MakeSession(const Workload& workload,
                                                           const Target& target,
                                                           const SessionOptions& options);

}  // namespace tilewise
