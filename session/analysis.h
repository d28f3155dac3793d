// Lowers and simulates a workload once, and owns the results that rules and
// reports read as Facts.

#pragma once

#include <cstdint>
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
#include "session/facts.h"
#include "sim/lowering/lower.h"

namespace tilewise {

// Batch per core when nothing names a batch.
inline constexpr int64_t kAssumedBatchPerCore = 128;

struct AnalysisOptions {
  int64_t global_batch = 0;  // 0: as declared in the files, else assumed
  bool training = true;  // gradients are added, unless the graph has its own
  bool shard_update = false;  // see LowerOptions
  XlaFlags xla_flags;
  std::optional<TrainingSpec> spec;            // unset: from the files
  std::optional<int64_t> steps_per_execution;  // unset: from the files
  std::optional<int64_t> examples_per_epoch;   // unset: from the files
  std::optional<int64_t> steps_per_epoch;      // unset: from the files
  std::vector<std::string> disabled_passes;
  // See Facts.
  std::function<bool(const Op& op, int64_t dim)> fixed_dim = nullptr;
};

// Facts about one workload on one target. Not movable: the facts point into
// it, and into the workload and target it was made from, which must outlive it.
class Analysis {
 public:
  Analysis(const Workload& workload, const Target& target,
           const AnalysisOptions& options);
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  const Facts& facts() const { return facts_; }
  bool batch_assumed() const { return batch_assumed_; }
  int64_t steps_per_execution() const { return steps_per_execution_; }
  std::optional<int64_t> examples_per_epoch() const { return examples_; }
  std::optional<int64_t> steps_per_epoch() const { return steps_; }
  const LowerOptions& lower_options() const { return lower_; }
  // RD004: why the model could not be lowered; empty when it could, or when
  // there is none.
  const std::vector<Diagnostic>& notes() const { return notes_; }

 private:
  void ChooseBatch();
  void LowerModel();
  const Simulated* AtBatch(int64_t batch_per_core);
  LoopTimeline Loop(const Timeline& step, int64_t global_batch,
                    int64_t steps_per_execution,
                    const Pipeline* pipeline) const;
  // session/outcome.cc: see Facts.
  absl::StatusOr<Outcome> OutcomeOf(std::span<const Change* const> changes);
  absl::StatusOr<ChangedStep> StepWith(std::span<const Change* const> changes);
  absl::StatusOr<Outcome> OutcomeAround(const ChangedStep& step,
                                        std::span<const Change* const> changes);
  Seconds PartialBatchWaste(const Pipeline& pipeline, Seconds full,
                            int64_t global_batch, int64_t steps_per_execution);
  absl::StatusOr<Graph> ChangedGraph(const Change& change,
                                     int64_t batch_per_core);
  absl::StatusOr<ChangedStep> LowerChanged(
      const Graph& graph, int64_t batch_per_core,
      const Compilation* compilation) const;
  absl::StatusOr<ChangedStep> ChangeCompiled(const Change& change,
                                             const Graph& graph,
                                             int64_t batch_per_core);
  absl::StatusOr<ChangedStep> LikeCompiled(ChangedStep changed,
                                           int64_t batch_per_core);
  // The graph for batches other than that of the facts: as it was read or,
  // where the file fixed its batch, with the batch separated. Errors: it cannot
  // be, or the layouts and kernels of a compiler are of one batch.
  const absl::StatusOr<Graph>& FreeGraph();
  absl::Status CheckOtherBatch();

  const Workload& workload_;
  const Target& target_;
  AnalysisOptions options_;
  LowerOptions lower_;
  bool batch_assumed_ = false;
  int64_t steps_per_execution_ = 1;
  std::optional<int64_t> examples_;
  std::optional<int64_t> steps_;
  std::optional<Graph> bound_;
  std::once_flag freed_;
  absl::StatusOr<Graph> free_ = InvalidInput("not asked for yet");
  std::mutex by_batch_mutex_;  // guards by_batch_
  std::map<int64_t, std::unique_ptr<Simulated>> by_batch_;
  std::mutex recompiled_mutex_;  // guards recompiled_
  // By batch, of a compiled module: its step as it is, lowered by us.
  std::map<int64_t, absl::StatusOr<ChangedStep>> recompiled_;
  std::optional<LoopTimeline> loop_;
  std::vector<Diagnostic> notes_;
  Facts facts_;
};

// Errors: options that make no sense (a batch below 0 or too large for the
// model's tensors). A model that does not fit in HBM is simulated all the
// same; one that cannot be lowered leaves a note and facts without a model.
absl::StatusOr<std::unique_ptr<Analysis>> Analyze(
    const Workload& workload, const Target& target,
    const AnalysisOptions& options);

}  // namespace tilewise
