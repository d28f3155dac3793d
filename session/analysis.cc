// Lowers and simulates a workload at the batch it asks for, and at others when
// rules ask. A model that cannot be lowered costs the facts about it, not the
// findings about the rest of the program.

#include "session/analysis.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/math.h"
#include "session/free_batch.h"
#include "sim/simulate.h"
#include "workload/example_size.h"

namespace tilewise {
namespace {

TrainingSpec SpecOf(const Workload& workload, const AnalysisOptions& options) {
  if (options.spec) return *options.spec;
  return workload.training.value_or(TrainingSpec{});
}

std::optional<int64_t> ValueOf(const Count& count) {
  if (count.kind != Count::Kind::kValue || count.value < 1) return std::nullopt;
  return count.value;
}

Framework FrameworkOf(const HostLoop& loop) {
  return loop.framework == Framework::kUnknown ? Framework::kKeras
                                               : loop.framework;
}

Location PlaceOfModel(const Workload& workload) {
  Location place;
  if (workload.graph && workload.graph->size() > 0) {
    place = workload.graph->op(0).location;
  }
  return place;
}

Diagnostic NotLowered(const Workload& workload, const absl::Status& status) {
  Diagnostic note;
  note.rule = "RD004";
  note.name = "model-not-simulated";
  note.location = PlaceOfModel(workload);
  note.message = fmt::format(
      "the model could not be lowered, so nothing about its cost is known: {}",
      Message(status));
  return note;
}

// Of the policy's names, which no layer makes.
Diagnostic NothingToKeep(const Workload& workload,
                         const std::vector<std::string>& names) {
  const std::vector<std::string_view> made = MadeTensors(*workload.graph);
  Diagnostic note;
  note.rule = "RD003";
  note.name = "ignored-part";
  note.location = PlaceOfModel(workload);
  note.message = fmt::format(
      "found {} in the rematerialisation policy, which no layer of the model "
      "makes: nothing is kept for it; the model makes {}",
      fmt::join(names, ", "),
      made.empty() ? "none that a policy can name"
                   : fmt::format("{}", fmt::join(made, ", ")));
  return note;
}

}  // namespace

Analysis::Analysis(const Workload& workload, const Target& target,
                   const AnalysisOptions& options)
    : workload_(workload),
      target_(target),
      options_(options),
      facts_{.workload = workload, .target = target} {
  const bool has_gradients = workload.step == StepKind::kTrainingStep;
  lower_.training = options.training && !has_gradients;
  lower_.spec = SpecOf(workload, options);
  lower_.shard_update = options.shard_update;
  lower_.xla_flags = options.xla_flags;
  lower_.disabled_passes = options.disabled_passes;
  if (workload.compilation) lower_.compilation = &*workload.compilation;
  const HostLoop& host_loop = workload.host_loop;
  lower_.compiler =
      target.host.runtime(FrameworkName(FrameworkOf(host_loop))).compiler;
  steps_per_execution_ = options.steps_per_execution.value_or(
      host_loop.steps_per_execution_or_default());
  const Pipeline* pipeline = workload.training_pipeline();
  examples_ = options.examples_per_epoch;
  if (!examples_ && pipeline != nullptr) examples_ = pipeline->source_items;
  steps_ = options.steps_per_epoch;
  if (!steps_) steps_ = ValueOf(host_loop.steps_per_epoch);
  facts_.fixed_dim = options_.fixed_dim;
  ChooseBatch();
  LowerModel();
  if (!lower_.training || !workload.graph) return;
  const std::vector<std::string> unmade =
      lower_.spec.remat_policy().NotMadeBy(*workload.graph);
  if (!unmade.empty()) notes_.push_back(NothingToKeep(workload, unmade));
}

void Analysis::ChooseBatch() {
  facts_.training =
      options_.training || workload_.step == StepKind::kTrainingStep;
  facts_.global_batch = options_.global_batch;
  if (facts_.global_batch == 0) {
    const std::optional<int64_t> declared = workload_.declared_global_batch();
    batch_assumed_ = !declared || *declared < 1;
    const int64_t assumed =
        RoundUp(kAssumedBatchPerCore, lower_.spec.accumulation_steps);
    facts_.global_batch =
        batch_assumed_ ? assumed * target_.batch_shards() : *declared;
  }
  facts_.batch_assumed = batch_assumed_;
  facts_.batch_per_core = CeilDiv(facts_.global_batch, target_.batch_shards());
}

void Analysis::LowerModel() {
  facts_.at_batch = [this](int64_t batch) { return AtBatch(batch); };
  facts_.loop_with = [this](const Simulated& model, int64_t global_batch,
                            int64_t steps_per_execution) {
    return Loop(model.timeline, global_batch, steps_per_execution,
                workload_.training_pipeline());
  };
  facts_.loop_fed_by = [this](const Pipeline& pipeline) {
    TW_CHECK(facts_.model != nullptr);
    return Loop(facts_.model->timeline, facts_.global_batch,
                steps_per_execution_, &pipeline);
  };
  using Changes = std::span<const Change* const>;
  facts_.outcome_of = [this](Changes changes) { return OutcomeOf(changes); };
  facts_.step_with = [this](Changes changes) { return StepWith(changes); };
  facts_.outcome_around = [this](const ChangedStep& step, Changes changes) {
    return OutcomeAround(step, changes);
  };
  if (!workload_.graph) return;
  const int64_t batch = facts_.batch_per_core;
  facts_.model = AtBatch(batch);
  if (!CheckBindable(*workload_.graph, batch).ok()) return;
  bound_ = workload_.graph->Bind(batch);
  facts_.source = &*bound_;
  if (facts_.model == nullptr) return;
  loop_ = facts_.loop_with(*facts_.model, facts_.global_batch,
                           steps_per_execution_);
  facts_.loop = &*loop_;
}

const Simulated* Analysis::AtBatch(int64_t batch_per_core) {
  if (!workload_.graph || batch_per_core < 1) return nullptr;
  const std::lock_guard<std::mutex> lock(by_batch_mutex_);
  const auto known = by_batch_.find(batch_per_core);
  if (known != by_batch_.end()) return known->second.get();
  std::unique_ptr<Simulated>& result = by_batch_[batch_per_core];
  const bool other = batch_per_core != facts_.batch_per_core;
  if (other && !CheckOtherBatch().ok()) return nullptr;
  const bool freed = other && workload_.graph->is_static();
  const Graph& graph = freed ? *FreeGraph() : *workload_.graph;
  absl::StatusOr<Program> program =
      Lower(graph, batch_per_core, target_, lower_);
  if (program.ok()) {
    result = std::make_unique<Simulated>(
        Simulate(std::move(program).value(), target_, graph.size()));
  } else if (batch_per_core == facts_.batch_per_core) {
    notes_.push_back(NotLowered(workload_, program.status()));
  }
  return result.get();
}

const absl::StatusOr<Graph>& Analysis::FreeGraph() {
  std::call_once(freed_, [this] {
    const auto free = [this]() -> absl::StatusOr<Graph> {
      if (workload_.compilation) {
        return InvalidInput("layouts and kernels are those of one batch");
      }
      const Graph& graph = *workload_.graph;
      TW_ASSIGN_OR_RETURN(const std::vector<BatchSeed> seeds,
                          BatchSeedsOf(graph, facts_.batch_per_core));
      return SeparateBatch(graph, seeds);
    };
    free_ = free();
  });
  return free_;
}

absl::Status Analysis::CheckOtherBatch() {
  if (!workload_.graph->is_static()) return absl::OkStatus();
  return Annotate(FreeGraph().status(), "the batch is written into the graph");
}

LoopTimeline Analysis::Loop(const Timeline& step, int64_t global_batch,
                            int64_t steps_per_execution,
                            const Pipeline* pipeline) const {
  LoopInput input;
  input.step = &step;
  input.pipeline = pipeline;
  input.framework = FrameworkOf(workload_.host_loop);
  input.global_batch = global_batch;
  input.steps_per_execution = steps_per_execution;
  input.examples_per_epoch = examples_;
  input.steps_per_epoch = steps_;
  // A fix of the pipeline may make its items smaller.
  input.bytes_per_example = pipeline != nullptr && pipeline->item_bytes
                                ? *pipeline->item_bytes
                                : BytesPerExample(workload_);
  LoopTimeline loop = SimulateLoop(input, target_);
  // An execution ends with its epoch.
  if (loop.steps_per_epoch > 0 && loop.steps_per_epoch < steps_per_execution) {
    input.steps_per_execution = loop.steps_per_epoch;
    loop = SimulateLoop(input, target_);
  }
  return loop;
}

absl::StatusOr<std::unique_ptr<Analysis>> Analyze(
    const Workload& workload, const Target& target,
    const AnalysisOptions& options) {
  if (options.global_batch < 0) {
    return InvalidInput(fmt::format("found batch {}, expected at least 1",
                                    options.global_batch));
  }
  if (options.global_batch > kMaxElements) {
    return InvalidInput(fmt::format("found batch {}, expected at most {}",
                                    options.global_batch, kMaxElements));
  }
  auto analysis = std::make_unique<Analysis>(workload, target, options);
  if (workload.graph) {
    TW_RETURN_IF_ERROR(
        CheckBindable(*workload.graph, analysis->facts().batch_per_core));
  }
  return analysis;
}

}  // namespace tilewise
