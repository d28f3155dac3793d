// Options become what MakeTarget, the readers and Analyze take; nothing is
// decided here that those could decide.

#include "cli/subject.h"

#include <optional>

#include <fmt/format.h>

#include "cli/read_inputs.h"
#include "graph/training.h"

namespace tilewise {
namespace {

std::optional<int64_t> Given(int64_t value) {
  return value > 0 ? std::optional<int64_t>(value) : std::nullopt;
}

int64_t GlobalBatch(const Options& options, int64_t cores) {
  return options.batch_per_core > 0 ? options.batch_per_core * cores
                                    : options.global_batch;
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

}  // namespace

absl::StatusOr<std::unique_ptr<const Subject>> LoadAndAnalyze(
    const Options& options) {
  auto subject = std::make_unique<Subject>();
  TW_ASSIGN_OR_RETURN(subject->target,
                      MakeTarget(options.chip, options.cores, options.host));
  const Target& target = subject->target;
  TW_ASSIGN_OR_RETURN(subject->workload,
                      ReadInputs(options.files, {.cores = target.cores}));
  const Workload& workload = subject->workload;
  TW_ASSIGN_OR_RETURN(
      subject->analysis,
      Analyze(workload, target, AnalysisOptionsOf(options, workload, target)));
  return subject;
}

absl::Status RequireModel(const Subject& subject) {
  if (subject.facts().model != nullptr) return absl::OkStatus();
  const std::string& name = subject.workload.name;
  if (!subject.analysis->notes().empty()) {
    const Diagnostic& note = subject.analysis->notes().front();
    const std::string place =
        note.location.known() ? FormatLocation(note.location) : name;
    return absl::FailedPreconditionError(place + ": " + note.message);
  }
  return absl::FailedPreconditionError(fmt::format(
      "{}: found no model, expected a Keras model of literal layers or a "
      "model.to_json() file",
      name));
}

}  // namespace tilewise
