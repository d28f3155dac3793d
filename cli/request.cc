// Nothing is decided here that a library could decide: names are checked,
// fields are copied.

#include "cli/request.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/suggest.h"
#include "graph/training.h"

namespace tilewise {
namespace {

// A path of a user's own data file is not a misspelt name.
absl::Status CheckName(std::string_view option, const std::string& name,
                       const std::vector<std::string>& known) {
  if (name.find('/') != std::string::npos || name.ends_with(".txtpb")) {
    return absl::OkStatus();
  }
  const std::string problem = CheckWord(name, known);
  if (problem.empty()) return absl::OkStatus();
  return InvalidInput(fmt::format("{}: {}", option, problem));
}

bool SelectsARule(const std::string& word) {
  if (word.empty()) return false;
  if (FindRule(word) != nullptr) return true;
  const auto& rules = AllRules();
  return std::any_of(rules.begin(), rules.end(), [&](const Rule* rule) {
    return rule->info.id.starts_with(word);
  });
}

absl::Status CheckRules(std::string_view option,
                        const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const Rule* rule : AllRules()) {
    known.emplace_back(rule->info.id);
    known.emplace_back(rule->info.name);
  }
  for (const std::string& word : words) {
    if (SelectsARule(word)) continue;
    const std::optional<std::string> nearest = Nearest(word, known);
    return InvalidInput(fmt::format(
        "{}: found '{}', expected a rule's id or name or a family such as "
        "IP{}; 'tilewise list rules' lists them",
        option, word.substr(0, 64),
        nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : ""));
  }
  return absl::OkStatus();
}

std::optional<int64_t> Given(int64_t value) {
  return value > 0 ? std::optional<int64_t>(value) : std::nullopt;
}

int64_t GlobalBatch(const Options& options, int64_t cores) {
  return options.batch_per_core > 0 ? options.batch_per_core * cores
                                    : options.global_batch;
}

std::vector<StageRow> StageRows(const Pipeline& pipeline,
                                const LoopTimeline& loop) {
  std::vector<StageRow> rows;
  for (const StageTime& time : loop.stages) {
    if (time.stage >= pipeline.stages.size()) continue;
    const Stage& stage = pipeline.stages[time.stage];
    rows.push_back({.stage = std::string(StageName(stage.kind)),
                    .location = stage.location,
                    .per_batch = time.per_batch,
                    .parallelism = time.parallelism});
  }
  return rows;
}

double CostedShare(const Workload& workload) {
  int64_t opaque = 0;
  for (const auto& [name, count] : workload.opaque_layers) opaque += count;
  if (workload.layers <= 0) return 1;
  return 1 - static_cast<double>(opaque) / static_cast<double>(workload.layers);
}

void AddSimulated(const Facts& facts, Report& report) {
  if (facts.model != nullptr) {
    report.program = facts.model->program;
    report.timeline = facts.model->timeline;
    report.estimate = facts.model->estimate;
    report.largest = LargestBuffers(facts.model->program);
    if (facts.source != nullptr) {
      report.ops = MakeOpRows(facts.model->program, facts.model->timeline,
                              *facts.source, facts.target);
    }
  }
  if (facts.loop == nullptr) return;
  report.loop = *facts.loop;
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline != nullptr) report.stages = StageRows(*pipeline, *facts.loop);
}

}  // namespace

absl::StatusOr<Target> TargetOf(const Options& options) {
  TW_RETURN_IF_ERROR(CheckName("--chip", options.chip, ChipNames()));
  if (!options.host.empty()) {
    TW_RETURN_IF_ERROR(CheckName("--host", options.host, HostNames()));
  }
  return MakeTarget(options.chip, options.cores, options.host);
}

absl::StatusOr<RuleSelection> SelectionOf(const Options& options) {
  TW_RETURN_IF_ERROR(CheckRules("--select", options.select));
  TW_RETURN_IF_ERROR(CheckRules("--ignore", options.ignore));
  return RuleSelection{.select = options.select, .ignore = options.ignore};
}

AnalysisOptions AnalysisOptionsOf(const Options& options,
                                  const Workload& workload,
                                  const Target& target) {
  AnalysisOptions analysis;
  analysis.global_batch = GlobalBatch(options, target.cores);
  analysis.training = options.training;
  analysis.steps_per_execution = Given(options.steps_per_execution);
  analysis.steps_per_epoch = Given(options.steps_per_epoch);
  analysis.examples_per_epoch = Given(options.examples);
  if (!options.optimizer.empty()) {
    TrainingSpec spec = workload.training.value_or(TrainingSpec{});
    spec.optimizer = *ParseOptimizer(options.optimizer);
    spec.optimizer_known = true;
    analysis.spec = spec;
  }
  return analysis;
}

Report DescribeRun(std::string_view command, const Workload& workload,
                   const Target& target, const Analysis& analysis) {
  const Facts& facts = analysis.facts();
  Report report;
  report.version = TILEWISE_VERSION;
  report.command = command;
  report.workload = workload.name;
  report.target = target.description();
  report.cores = target.cores;
  report.batch_per_core = facts.batch_per_core;
  report.global_batch = facts.global_batch;
  report.batch_assumed = analysis.batch_assumed();
  report.steps_per_execution = analysis.steps_per_execution();
  report.training = facts.training;
  report.layers = workload.layers;
  report.costed_share = CostedShare(workload);
  report.files = workload.files;
  report.notes = workload.notes;
  report.notes.insert(report.notes.end(), analysis.notes().begin(),
                      analysis.notes().end());
  AddSimulated(facts, report);
  return report;
}

absl::Status RequireModel(const Analysis& analysis) {
  const Facts& facts = analysis.facts();
  if (facts.model != nullptr) return absl::OkStatus();
  if (!analysis.notes().empty()) {
    const Diagnostic& note = analysis.notes().front();
    const std::string place = note.location.known()
                                  ? FormatLocation(note.location)
                                  : facts.workload.name;
    return absl::FailedPreconditionError(place + ": " + note.message);
  }
  return absl::FailedPreconditionError(fmt::format(
      "{}: found no model, expected a Keras model of literal layers or a "
      "model.to_json() file",
      facts.workload.name));
}

}  // namespace tilewise
