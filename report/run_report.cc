// The parts of a report that come from a session. Fields are copied from what
// is known; nothing is computed but tables.

#include <algorithm>

#include <fmt/format.h>

#include "advice/kind_of_program.h"
#include "pipeline/chain.h"
#include "report/report.h"
#include "report/verdict.h"
#include "sim/stage_cost.h"

namespace tilewise {
namespace {

std::vector<StageRow> StageRows(const Pipeline& pipeline, const LoopTimeline& loop) {
  std::vector<StageRow> rows;
  for (const StageTime& time : loop.stages) {
    if (time.stage >= pipeline.stages.size()) continue;
    const Stage& stage = pipeline.stages[time.stage];
    rows.push_back({.stage = std::string(StageName(stage.kind)),
                    .location = stage.location,
                    .per_batch = time.per_batch,
                    .work = time.work,
                    .parallelism = time.parallelism,
                    .unknown_ops = time.unknown_ops});
  }
  return rows;
}

// Whether nobody has published what an execution costs this host.
bool AssumesExecution(const Host& host, Framework framework) {
  const auto numbers = HostNumbers(host.name);
  if (!numbers.ok()) return false;
  const std::string_view name =
      FrameworkName(framework == Framework::kUnknown ? Framework::kKeras : framework);
  const auto runtime = std::ranges::find(host.runtimes, name, &HostRuntime::framework);
  const auto at = runtime == host.runtimes.end() ? 0 : runtime - host.runtimes.begin();
  const std::string field = fmt::format("runtimes[{}].per_execution_ms", at);
  const auto number = std::ranges::find(*numbers, field, &SourcedNumber::field);
  return number != numbers->end() && number->source.starts_with("assumed");
}

std::string FilesFrom(const Pipeline& pipeline, const Host& host) {
  if (pipeline.stages.empty()) return "";
  const Stage& source = pipeline.stages.front();
  if (!IsOneOf(source.kind,
               {StageKind::kListFiles, StageKind::kRecordFiles, StageKind::kNamedDataset})) {
    return "";
  }
  if (host.store.name == kStatedStore) return "where --pipeline says";
  if (ReadsOwnDisk(pipeline, host)) return "the host's disk, once they are read its memory";
  const bool is_known = !source.paths.empty() && std::ranges::all_of(source.paths, IsRemotePath);
  return is_known ? "a bucket" : "a bucket, assumed: --pipeline source.stream=80MB/s";
}

// The loop of a tf.function that takes the steps, in words; empty: none is known to.
std::string PlaceOfExecution(const HostLoop& loop, int64_t steps) {
  const bool is_own =
      loop.framework == Framework::kCustomLoop && loop.steps_per_execution.is(steps);
  if (!is_own || !loop.steps_per_execution_location.known()) return "";
  return "the loop at " + PlaceInWords(loop.steps_per_execution_location);
}

}  // namespace

Report ReportOn(std::string_view command, const Session& session) {
  const Workload& workload = session.workload();
  Report report{SettingOf(session.facts())};
  report.needs_strategy = NeedsStrategy(session.facts());
  report.version = TILEWISE_VERSION;
  report.command = command;
  report.files = workload.files;
  report.written = WrittenSettingsOf(workload, session.target().batch_shards());
  report.notes = workload.notes;
  report.execution_assumed = AssumesExecution(session.target().host, report.framework);
  report.execution_place = PlaceOfExecution(workload.host_loop, report.steps_per_execution);
  const SessionOptions& options = session.options();
  report.length_assumed =
      workload.host_loop.length_assumed && !options.examples_per_epoch && !options.steps_per_epoch;
  report.run_steps = workload.host_loop.run_steps;
  if (const Pipeline* pipeline = workload.training_pipeline()) {
    report.files_from = FilesFrom(*pipeline, session.target().host);
    const Bytes example = pipeline->item_bytes ? *pipeline->item_bytes : session.ExampleBytes();
    report.first_batch = TimeToFirstBatch(*pipeline, report.framework, session.global_batch(),
                                          example, session.target());
  }
  report.notes.insert(report.notes.end(), session.notes().begin(), session.notes().end());
  return report;
}

void AddStep(const Simulated* step, Report& report) {
  if (step == nullptr) return;
  report.program = step->program;
  report.timeline = step->timeline;
  report.estimate = step->estimate;
  constexpr size_t kNamed = 8;
  report.largest = LargestBuffers(step->program, kNamed);
  AddTimeRange(report);
  if (report.training) {
    report.memory_range = MemoryRange(step->program.loops_over_layers(), report.chip);
  }
}

void AddTimeRange(Report& report) {
  if (!report.timeline) return;
  report.time_range = TimeRange(LongestPart(*report.timeline), report.chip);
  // A profile of the user's own machine only narrows it.
  const auto& own = report.measured_range;
  const auto width = [](const ErrorRange& range) { return range.high / range.low; };
  if (own && (!report.time_range || width(*own) < width(*report.time_range))) {
    report.time_range = own;
  }
}

void AddLoop(const LoopTimeline* loop, Report& report) {
  if (loop != nullptr) report.loop = *loop;
}

void AddTables(const Facts& facts, Report& report) {
  if (report.program && facts.source != nullptr) {
    report.ops = MakeOpRows(*report.program, *report.timeline, *facts.source, facts.target);
  }
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (report.loop && pipeline != nullptr) report.stages = StageRows(*pipeline, *report.loop);
}

void AddMemory(const Session& session, Report& report) {
  if (!report.program) return;
  report.memory_use = MemoryUseAtPeak(*report.program, session.target().chip);
  AddRemedies(session, report);
}

void AddRemedies(const Session& session, Report& report) {
  const bool has_batch = report.tuning && report.tuning->best;
  if (!report.program || has_batch || VerdictOn(report) == MemoryVerdict::kFits) return;
  report.remedies = FindRemedies(session, report.memory_range);
}

}  // namespace tilewise
