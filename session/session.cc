// The model is lowered at the batch that is asked for, and at others when rules
// or the tuner ask. One that cannot be lowered costs the facts about it, not
// the findings about the rest of the program.

#include "session/session.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "base/math.h"
#include "session/free_batch.h"
#include "sim/simulate.h"
#include "workload/example_size.h"

namespace tilewise {
namespace {

TrainingSpec SpecOf(const Workload& workload, const SessionOptions& options) {
  if (options.spec) return *options.spec;
  return workload.training.value_or(TrainingSpec{});
}

std::optional<int64_t> ValueOf(const Count& count) {
  if (count.kind != Count::Kind::kValue || count.value < 1) return std::nullopt;
  return count.value;
}

Framework FrameworkOf(const HostLoop& loop) {
  return loop.framework == Framework::kUnknown ? Framework::kKeras : loop.framework;
}

Location LocationOfModel(const Workload& workload) {
  Location location;
  if (workload.graph && workload.graph->size() > 0) {
    location = workload.graph->op(0).location;
  }
  return location;
}

Diagnostic NotLowered(const Workload& workload, const absl::Status& status) {
  Diagnostic note;
  note.rule = "RD004";
  note.name = "model-not-simulated";
  note.location = LocationOfModel(workload);
  note.message = fmt::format(
      "the model could not be lowered, so nothing about its cost is known: {}", Message(status));
  return note;
}

// A global batch that does not give each shard an example.
Diagnostic ShortBatch(const Workload& workload, const Facts& facts) {
  Diagnostic note;
  note.rule = "RD003";
  note.name = "ignored-part";
  note.severity = Severity::kWarning;
  note.location = LocationOfModel(workload);
  note.message = fmt::format(
      "found a global batch of {} for {} shards of the batch: the step is that of one example on "
      "each; share an example among more {}s with --mesh context=N or tensor=N",
      FormatCount(facts.global_batch), FormatCount(facts.target.batch_shards()),
      facts.target.device());
  return note;
}

// `names` are those of the policy that no layer makes.
Diagnostic NothingToKeep(const Workload& workload, const std::vector<std::string>& names) {
  const std::vector<std::string_view> made = MadeTensors(*workload.graph);
  Diagnostic note;
  note.rule = "RD003";
  note.name = "ignored-part";
  note.location = LocationOfModel(workload);
  note.message = fmt::format(
      "found {} in the rematerialisation policy, which no layer of the model "
      "makes: nothing is kept for it; the model makes {}",
      fmt::join(names, ", "),
      made.empty() ? "none that a policy can name" : fmt::format("{}", fmt::join(made, ", ")));
  return note;
}

// The core's clock rises by equal steps from its usual state to the highest, as
// published steps do; memory and links keep theirs.
Target WithClock(Target target, const XlaFlags& flags) {
  Chip& chip = target.chip;
  if (chip.top_clock_hz <= 0) return target;
  const double above = static_cast<double>(flags.clock_state - XlaFlags::kUsualClock) /
                       (XlaFlags::kTopClock - XlaFlags::kUsualClock);
  chip.clock_hz += (chip.top_clock_hz - chip.clock_hz) * above;
  return target;
}

}  // namespace

Session::Session(const Workload& workload, const Target& target, const SessionOptions& options)
    : workload_(workload),
      target_(WithClock(target, options.xla_flags)),
      options_(options),
      facts_{.workload = workload, .target = target_, .session = *this} {
  const bool has_gradients = workload.step == StepKind::kTrainingStep;
  const HostLoop& host_loop = workload.host_loop;
  lower_.training = options.training && !has_gradients;
  lower_.spec = SpecOf(workload, options);
  lower_.shard_update = options.shard_update;
  lower_.xla_flags = options.xla_flags;
  lower_.disabled_passes = options.disabled_passes;
  lower_.matmul_cuts = options.matmul_cuts;
  lower_.partitioned = options.partitioned.get();
  if (workload.compilation) lower_.compilation = &*workload.compilation;
  lower_.compiler = options.compiler
                        ? *options.compiler
                        : target.host.runtime(FrameworkName(FrameworkOf(host_loop))).compiler;
  steps_per_execution_ =
      options.steps_per_execution.value_or(host_loop.steps_per_execution_or_default());
  const Pipeline* pipeline = workload.training_pipeline();
  examples_ = options.examples_per_epoch;
  if (!examples_ && pipeline != nullptr) examples_ = pipeline->source_items;
  steps_ = options.steps_per_epoch;
  if (!steps_) steps_ = ValueOf(host_loop.steps_per_epoch);
  ChooseBatch();
}

void Session::ChooseBatch() {
  facts_.training = options_.training || workload_.step == StepKind::kTrainingStep;
  facts_.global_batch = options_.global_batch;
  if (facts_.global_batch == 0) {
    const std::optional<int64_t> declared = workload_.declared_global_batch();
    facts_.batch_assumed = !declared || *declared < 1;
    const int64_t assumed = RoundUp(kAssumedBatchPerCore, lower_.spec.accumulation_steps);
    facts_.global_batch = facts_.batch_assumed ? assumed * target_.batch_shards() : *declared;
  }
  facts_.batch_per_core = CeilDiv(facts_.global_batch, target_.batch_shards());
}

const Facts& Session::facts() const {
  std::call_once(lowered_, [this] { LowerModel(); });
  return facts_;
}

const std::vector<Diagnostic>& Session::notes() const {
  facts();
  return notes_;
}

void Session::LowerModel() const {
  if (!workload_.graph) return;
  const int64_t batch = facts_.batch_per_core;
  const Entry& entry = EntryAt(batch);
  facts_.model = entry.step.get();
  if (!entry.status.ok()) {
    notes_.push_back(NotLowered(workload_, entry.status));
  }
  if (facts_.global_batch < target_.batch_shards() && !workload_.graph->is_static()) {
    notes_.push_back(ShortBatch(workload_, facts_));
  }
  if (lower_.training) {
    const std::vector<std::string> unmade = lower_.spec.remat_policy().NotMadeBy(*workload_.graph);
    if (!unmade.empty()) notes_.push_back(NothingToKeep(workload_, unmade));
  }
  if (!CheckBindable(*workload_.graph, batch).ok()) return;
  bound_ = workload_.graph->Bind(batch);
  facts_.source = &*bound_;
  if (facts_.model == nullptr) return;
  loop_ = Loop(facts_.model->timeline, facts_.global_batch, steps_per_execution_);
  facts_.loop = &*loop_;
}

absl::StatusOr<Program> Session::LowerGraph(const Graph& graph, int64_t batch_per_core,
                                            const LowerOptions& options) const {
  TW_ASSIGN_OR_RETURN(Program program, Lower(graph, batch_per_core, target_, options));
  if (options_.adjust_program) {
    TW_RETURN_IF_ERROR(options_.adjust_program(program));
  }
  return program;
}

const Session::Entry& Session::EntryAt(int64_t batch_per_core) const {
  Entry* entry = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    entry = &by_batch_[batch_per_core];
  }
  std::call_once(entry->lowered, [&] {
    const absl::StatusOr<const Graph*> graph = GraphFor(batch_per_core);
    entry->status = graph.status();
    if (!graph.ok()) return;
    absl::StatusOr<Program> program = LowerGraph(**graph, batch_per_core, lower_);
    entry->status = program.status();
    if (!program.ok()) return;
    entry->step =
        std::make_unique<Simulated>(Simulate(*std::move(program), target_, (*graph)->size()));
  });
  return *entry;
}

const Simulated* Session::AtBatch(int64_t batch_per_core) const {
  if (!workload_.graph || batch_per_core < 1) return nullptr;
  return EntryAt(batch_per_core).step.get();
}

absl::StatusOr<StepTotals> Session::TotalsWithin(const Graph& graph, int64_t batch_per_core,
                                                 LowerOptions options, StepLimits limits) const {
  StepTotals bound;
  bound.batch_per_core = batch_per_core;
  bound.available = target_.chip.usable_hbm();
  bound.is_bound = bound.peak_is_bound = true;
  options.is_worth_it = [&](const Program& program, const Repetitions& how_often) {
    const LeastNeeds least = LeastNeedsOf(program, how_often, target_, options_.xla_flags);
    bound.timeline.step = least.step;
    bound.peak = least.hbm;
    return least.step <= limits.longest && bound.fits();
  };
  if (!limits.bounds_suffice) options.is_worth_it = nullptr;
  absl::StatusOr<Program> program = LowerGraph(graph, batch_per_core, options);
  if (IsGivenUp(program.status())) return bound;
  TW_RETURN_IF_ERROR(program.status());
  if (limits.longest < kAnyTime) {
    Timeline least;
    least.step = EstimateProgram(*program, target_).step;
    if (least.step > limits.longest) {
      StepTotals totals = TotalsOf(*program, std::move(least));
      totals.is_bound = true;
      return totals;
    }
  }
  return TotalsOf(*program, SimulateStep(*program, target_));
}

absl::StatusOr<StepTotals> Session::StepAt(int64_t batch_per_core, StepLimits limits) const {
  if (!workload_.graph) return InvalidInput("there is no model");
  bool whole = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = totals_.find(batch_per_core);
    if (known != totals_.end()) return known->second;
    whole = by_batch_.contains(batch_per_core);
  }
  if (whole) {
    const Entry& entry = EntryAt(batch_per_core);
    TW_RETURN_IF_ERROR(entry.status);
    return TotalsOf(*entry.step);
  }
  absl::StatusOr<StepTotals> totals = [&]() -> absl::StatusOr<StepTotals> {
    TW_ASSIGN_OR_RETURN(const Graph* graph, GraphFor(batch_per_core));
    return TotalsWithin(*graph, batch_per_core, lower_, limits);
  }();
  if (totals.ok() && totals->is_bound) return totals;
  const std::lock_guard<std::mutex> lock(mutex_);
  return totals_.emplace(batch_per_core, std::move(totals)).first->second;
}

absl::StatusOr<const Graph*> Session::GraphFor(int64_t batch_per_core) const {
  const Graph& graph = *workload_.graph;
  if (batch_per_core == facts_.batch_per_core || !graph.is_static()) {
    return &graph;
  }
  const absl::StatusOr<Graph>& free = FreeGraph();
  if (free.ok()) return &*free;
  return Annotate(free.status(), "the batch is written into the graph");
}

const absl::StatusOr<Graph>& Session::FreeGraph() const {
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

Bytes Session::ExampleBytes() const {
  const std::optional<Graph>& graph = workload_.graph;
  if (!graph) return BytesPerExample(workload_, nullptr);
  const bool fixed = graph->is_static() && !workload_.files.empty();
  return BytesPerExample(workload_, fixed && FreeGraph().ok() ? &*FreeGraph() : &*graph);
}

LoopTimeline Session::Loop(const Timeline& step, int64_t global_batch, int64_t steps_per_execution,
                           const Pipeline* pipeline) const {
  LoopInput input;
  input.step = &step;
  input.pipeline = pipeline;
  input.framework = FrameworkOf(workload_.host_loop);
  input.global_batch = global_batch;
  input.steps_per_execution = steps_per_execution;
  input.examples_per_epoch = examples_;
  input.steps_per_epoch = steps_;
  input.one_hot_bytes_per_example = options_.one_hot_bytes_per_example;
  // A fix of the pipeline may make its items smaller.
  input.bytes_per_example =
      pipeline != nullptr && pipeline->item_bytes ? *pipeline->item_bytes : ExampleBytes();
  if (options_.bytes_per_example) {
    input.bytes_per_example = *options_.bytes_per_example;
  }
  LoopTimeline loop = SimulateLoop(input, target_);
  // An execution ends with its epoch.
  if (loop.steps_per_epoch > 0 && loop.steps_per_epoch < steps_per_execution) {
    input.steps_per_execution = loop.steps_per_epoch;
    loop = SimulateLoop(input, target_);
  }
  return loop;
}

LoopTimeline Session::LoopFedBy(const Pipeline& pipeline) const {
  TW_CHECK(facts().model != nullptr);
  return Loop(facts_.model->timeline, facts_.global_batch, steps_per_execution_, &pipeline);
}

absl::Status Session::ShowPasses(const AfterPass& show) const {
  LowerOptions options = lower_;
  options.after_pass = show;
  return Lower(*workload_.graph, facts_.batch_per_core, target_, options).status();
}

absl::StatusOr<std::unique_ptr<const Session>> MakeSession(const Workload& workload,
                                                           const Target& target,
                                                           const SessionOptions& options) {
  if (options.global_batch < 0) {
    return InvalidInput(fmt::format("found batch {}, expected at least 1", options.global_batch));
  }
  if (options.global_batch > kMaxElements) {
    return InvalidInput(
        fmt::format("found batch {}, expected at most {}", options.global_batch, kMaxElements));
  }
  auto session = std::make_unique<const Session>(workload, target, options);
  if (workload.graph) {
    TW_RETURN_IF_ERROR(CheckBindable(*workload.graph, session->batch_per_core()));
  }
  return session;
}

}  // namespace tilewise
