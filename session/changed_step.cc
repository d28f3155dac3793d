// Simulates a workload with changes made to its graph, batch, pipeline or loop.
//
// Gradients are accumulated over parts of the batch, and a batch that is
// written into the graph is another one, in a graph whose batch is free: it is
// separated again in the changed graph.
//
// A compiled module's layouts and kernels are kept where a change replaces
// single ops: what stands in for an op runs in its kernel. Where that cannot
// be, and for changes of types and widths, the module is lowered twice without
// them, as it is and changed, and the compiled step is scaled by the ratio;
// where our lowering of the module is not near the compiler's, nothing is said.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/math.h"
#include "pipeline/chain.h"
#include "session/free_batch.h"
#include "session/rewrite_graph.h"
#include "session/session.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

// Times our lowering and the compiler's may differ and still be compared.
constexpr double kAlike = 0.15;

// Steps of changed graphs that a session keeps, and the ops of the largest of them.
constexpr size_t kMostKept = 4;
constexpr int32_t kLargestKept = 20'000;

bool AreEqual(const Op& a, const Op& b) {
  return a.kind == b.kind && a.shape == b.shape && a.operands == b.operands && a.attrs == b.attrs &&
         a.phase == b.phase && a.loop == b.loop && a.loop.layer == b.loop.layer &&
         a.name == b.name && a.origin == b.origin;
}

bool AreEqual(const Graph& a, const Graph& b) {
  return a.size() == b.size() && a.outputs() == b.outputs() &&
         std::equal(a.ops().begin(), a.ops().end(), b.ops().begin(),
                    [](const Op& one, const Op& other) { return AreEqual(one, other); });
}

// Wall time per step, the first epoch in its proportion.
Seconds MeanStep(const LoopTimeline& loop, const Count& epochs) {
  if (epochs.kind != Count::Kind::kValue || epochs.value < 1) return loop.step;
  const auto n = static_cast<double>(epochs.value);
  return (loop.first_step + loop.step * (n - 1)) / n;
}

int64_t Converts(const Graph& graph) {
  return std::ranges::count(graph.ops(), OpKind::kConvert, &Op::kind);
}

// The layouts and kernels of `source` for what a change left of it. New
// converts are there to meet others, which they do in a lowering alone.
absl::StatusOr<Compilation> CompilationOf(const Compilation& compilation, const Graph& source,
                                          const Graph& changed) {
  Compilation kept;
  kept.kernels = compilation.kernels;
  if (Converts(changed) > Converts(source)) {
    return InvalidInput("found converts that have no kernel in the module");
  }
  for (const Op& op : changed.ops()) {
    if (ClassOf(op.kind) == OpClass::kComposite || op.origin < 0) {
      return InvalidInput("found an op that no kernel of the module can run");
    }
    const size_t origin = op.origin;
    kept.kernel_of.push_back(compilation.kernel_of[origin]);
    const bool same = source.op(op.origin).shape.dims == op.shape.dims;
    kept.layouts.push_back(same ? compilation.layouts[origin] : std::nullopt);
  }
  return kept;
}

}  // namespace

absl::StatusOr<Graph> Session::ChangedGraph(const Change& change, int64_t batch_per_core) const {
  const Graph& graph = *workload_.graph;
  TW_RETURN_IF_ERROR(CheckBindable(graph, batch_per_core));
  const bool in_parts = lower_.training && lower_.spec.accumulation_steps > 1;
  const bool fixed = graph.is_static();
  const WeightType weights = facts_.training ? WeightType::kOwn : WeightType::kCompute;
  if (!in_parts && (!fixed || batch_per_core == facts_.batch_per_core)) {
    return RewriteGraph(graph.Bind(batch_per_core), change, weights);
  }
  TW_ASSIGN_OR_RETURN(const Graph changed,
                      RewriteGraph(graph.Bind(facts_.batch_per_core), change, weights));
  TW_ASSIGN_OR_RETURN(const std::vector<BatchSeed> seeds,
                      BatchSeedsOf(graph, facts_.batch_per_core));
  return WithFreeBatch(changed, seeds);
}

absl::StatusOr<StepTotals> Session::LowerChanged(const Graph& graph, int64_t batch_per_core,
                                                 const Compilation* compilation,
                                                 StepLimits limits) const {
  LowerOptions options = lower_;
  options.compilation = compilation;
  options.partitioned = nullptr;  // the graph is here for this lowering alone
  return TotalsWithin(graph, batch_per_core, std::move(options), limits);
}

absl::StatusOr<StepTotals> Session::LowerChangedOnce(Graph graph, int64_t batch_per_core,
                                                     StepLimits limits) const {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const ChangedStep& known : changed_) {
      if (known.batch_per_core == batch_per_core && AreEqual(known.graph, graph)) {
        return known.totals;
      }
    }
  }
  TW_ASSIGN_OR_RETURN(StepTotals totals, LowerChanged(graph, batch_per_core, nullptr, limits));
  if (totals.is_bound || graph.size() > kLargestKept) return totals;
  const std::lock_guard<std::mutex> lock(mutex_);
  changed_.push_back({batch_per_core, std::move(graph), totals});
  if (changed_.size() > kMostKept) changed_.pop_front();
  return totals;
}

absl::StatusOr<StepTotals> Session::ChangeCompiled(const Change& change, const Graph& graph,
                                                   int64_t batch_per_core) const {
  if (change.widths.empty() && !change.compute_type) {
    absl::StatusOr<Compilation> kept = CompilationOf(*lower_.compilation, *facts().source, graph);
    if (kept.ok()) {
      absl::StatusOr<StepTotals> changed = LowerChanged(graph, batch_per_core, &*kept);
      if (changed.ok()) return changed;
    }
  }
  TW_ASSIGN_OR_RETURN(StepTotals changed, LowerChanged(graph, batch_per_core, nullptr));
  return LikeCompiled(std::move(changed), batch_per_core);
}

absl::StatusOr<StepTotals> Session::Recompiled(int64_t batch_per_core) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto known = recompiled_.find(batch_per_core);
  if (known == recompiled_.end()) {
    known =
        recompiled_.emplace(batch_per_core, LowerChanged(*workload_.graph, batch_per_core, nullptr))
            .first;
  }
  return known->second;
}

absl::StatusOr<StepTotals> Session::LikeCompiled(StepTotals changed, int64_t batch_per_core) const {
  TW_ASSIGN_OR_RETURN(const StepTotals ours, Recompiled(batch_per_core));
  const Simulated* compiled = AtBatch(batch_per_core);
  if (compiled == nullptr) return InvalidInput("the module cannot be lowered");
  const Timeline& as_is = compiled->timeline;
  const double ratio = ours.timeline.step / as_is.step;
  if (!(std::abs(ratio - 1) <= kAlike)) {
    return InvalidInput(
        fmt::format("found {} for the module in layouts and kernels of our own and {} in the "
                    "compiler's, expected them to be alike",
                    FormatSeconds(ours.timeline.step), FormatSeconds(as_is.step)));
  }
  Timeline& step = changed.timeline;
  step.mxu_use *= ratio;
  step.step = step.step / ratio;
  changed.peak = compiled->program.memory.peak + (changed.peak - ours.peak);
  return changed;
}

absl::StatusOr<StepTotals> Session::StepWith(std::span<const Change* const> changes,
                                             StepLimits limits) const {
  if (!workload_.graph) return InvalidInput("there is no model");
  TW_ASSIGN_OR_RETURN(const Change change, CombineChanges(changes));
  const int64_t batch = change.batch_per_core.value_or(facts_.batch_per_core);
  TW_RETURN_IF_ERROR(GraphFor(batch).status());
  if (change.edits_graph()) {
    TW_ASSIGN_OR_RETURN(Graph graph, ChangedGraph(change, batch));
    if (lower_.compilation == nullptr) {
      return LowerChangedOnce(std::move(graph), batch, limits);
    }
    return ChangeCompiled(change, graph, batch);
  }
  return StepAt(batch, limits);
}

// What a pipeline that keeps a partial last batch adds to the mean step. The
// step of that batch is that of the graph as it is: it is one of many.
Seconds Session::PartialBatchWaste(const Pipeline& pipeline, Seconds full, int64_t global_batch,
                                   int64_t steps_per_execution) const {
  const std::optional<size_t> stage = PartialBatchStage(pipeline);
  if (!stage) return {};
  const std::optional<int64_t> items = ItemsAt(pipeline, *stage);
  if (!items || *items % global_batch == 0) return {};
  if (!pipeline.stages[*stage].amount.is(facts_.global_batch)) return {};
  const int64_t rest = *items % global_batch;
  const Simulated* partial = AtBatch(CeilDiv(rest, target_.batch_shards()));
  if (partial == nullptr) return {};
  const LoopTimeline loop = Loop(partial->timeline, rest, steps_per_execution, &pipeline);
  return WasteOfPartialStep(loop.step, full, *items, global_batch);
}

absl::StatusOr<Outcome> Session::OutcomeAround(const StepTotals& step,
                                               std::span<const Change* const> changes) const {
  TW_ASSIGN_OR_RETURN(const Change change, CombineChanges(changes));
  Outcome outcome;
  outcome.step = step.timeline.step;
  outcome.peak = step.peak;
  outcome.mxu_use = step.timeline.mxu_use;
  outcome.global_batch = step.batch_per_core == facts_.batch_per_core
                             ? facts_.global_batch
                             : step.batch_per_core * target_.batch_shards();
  const Pipeline* pipeline = workload_.training_pipeline();
  Pipeline edited;
  if (change.pipeline) {
    if (pipeline == nullptr) return InvalidInput("there is no pipeline");
    edited = *pipeline;
    change.pipeline(edited);
    pipeline = &edited;
  }
  const int64_t executions = change.steps_per_execution.value_or(steps_per_execution_);
  const LoopTimeline loop = Loop(step.timeline, outcome.global_batch, executions, pipeline);
  outcome.wall_step = MeanStep(loop, workload_.host_loop.epochs);
  if (pipeline != nullptr && facts_.training) {
    outcome.wall_step += PartialBatchWaste(*pipeline, loop.step, outcome.global_batch, executions);
  }
  outcome.per_example = outcome.wall_step / static_cast<double>(outcome.global_batch);
  return outcome;
}

absl::StatusOr<Outcome> Session::OutcomeOf(std::span<const Change* const> changes) const {
  TW_ASSIGN_OR_RETURN(const StepTotals step, StepWith(changes));
  return OutcomeAround(step, changes);
}

}  // namespace tilewise
