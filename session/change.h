// What a fix does to the program, in a form that can be lowered and simulated:
// edits of the forward graph, of the pipeline and of the loop around the step.
// A rule fills one in; nothing is edited until an outcome is asked for.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/units.h"
#include "graph/graph_builder.h"
#include "pipeline/pipeline.h"
#include "sim/timeline.h"

namespace tilewise {

// Makes what stands in for `op` of the forward graph and returns its value,
// of the same shape; of another one only where all users of `op` are replaced
// as well. `op` is as the other parts of the change leave it (its batch, its
// widths), so shapes come from it and from `builder`, not from Facts::source.
// `operands`: what op's operands became in `builder`, whose context (names,
// location, origin) is already that of `op`. What other ops became:
// session/rewrite_graph.h.
using Replacement =
    std::function<OpId(GraphBuilder& builder, const Op& op, std::span<const OpId> operands)>;

// Another size of one dim of a variable, or of an op's result; every dim that
// has to be as long follows.
struct NewWidth {
  OpId op = kNoOp;
  int64_t dim = 0;
  int64_t size = 0;
};

// Parts that are empty change nothing. Op ids are those of Facts::source.
struct Change {
  std::map<OpId, Replacement> replace;
  std::vector<NewWidth> widths;
  // The type of activations and of what dots and convolutions read: variables
  // are cast, losses and the update stay as they are. Where nothing is trained,
  // variables are stored in it.
  std::optional<DType> compute_type;
  std::function<void(Pipeline&)> pipeline;  // of the training pipeline
  std::optional<int64_t> batch_per_core;
  std::optional<int64_t> steps_per_execution;

  bool empty() const;
  bool edits_graph() const;  // more than its batch
  bool edits_loop() const;   // the pipeline or the steps per execution
};

// Combines all of them in one. Errors: two contradict each other: they replace
// one op, or want another size of one dim, type, batch or number of steps.
absl::StatusOr<Change> CombineChanges(std::span<const Change* const> changes);

// What was simulated with changes made.
struct Outcome {
  Seconds step;        // on the device
  Seconds wall_step;   // with the host; zero without a loop. The mean of all
                       // epochs of fit(), when their number is known, and of
                       // all batches of an epoch, a partial last one too
  Bytes peak;          // of HBM, per core
  double mxu_use = 0;  // useful FLOPs / (step x peak FLOP/s)
  // This is per example, for changes of the batch: seconds of the step (of the
  // wall step where there is one) / global batch.
  Seconds per_example;
  int64_t global_batch = 0;
};

// What the model reaches with the fixes of its findings. Fixes are added one
// after the other, the largest saving first, each on top of those before it
// and only while it still helps, so what two of them save is not added twice.
struct Reachable {
  Outcome now;
  Outcome safe;  // with the fixes that keep the meaning
  Outcome all;   // with every fix that was simulated
  // Indices into the findings, in the order in which they were applied.
  std::vector<int32_t> safe_fixes;
  std::vector<int32_t> all_fixes;
  // This counts fixes that save something alone, but not on top of or together
  // with the others.
  int32_t left_out = 0;
  // Changes that can be made but were not simulated, as they belong to the
  // cheapest findings of very many.
  int32_t not_simulated = 0;
};

}  // namespace tilewise
