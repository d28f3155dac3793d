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

int64_t GlobalBatch(const Options& options, int64_t shards) {
  return options.batch_per_core > 0 ? options.batch_per_core * shards
                                    : options.global_batch;
}

// A model without weights has nothing to train: it is run as it is.
bool HasWeights(const Workload& workload) {
  return !workload.graph || workload.graph->trainable_parameters() > 0;
}

// Whatever its batch, the step is the same: one per core stands in.
bool IgnoresBatch(const Workload& workload) {
  return workload.graph && workload.graph->is_static() &&
         !HasWeights(workload) && !workload.declared_global_batch();
}

// Unset: as the files say.
std::optional<TrainingSpec> SpecOf(const Options& options,
                                   const Workload& workload) {
  if (options.optimizer.empty() && options.remat.empty()) return std::nullopt;
  TrainingSpec spec = workload.training.value_or(TrainingSpec{});
  if (!options.optimizer.empty()) {
    spec.optimizer = *ParseOptimizer(options.optimizer);
    spec.optimizer_known = true;
  }
  if (!options.remat.empty()) {
    RematPolicy policy = *ParseRematPolicy(options.remat);
    spec.remat = policy.base;
    spec.remat_tensors = std::move(policy.tensors);
  }
  return spec;
}

AnalysisOptions AnalysisOptionsOf(const Options& options,
                                  const Workload& workload,
                                  const Target& target) {
  AnalysisOptions analysis;
  analysis.global_batch = GlobalBatch(options, target.batch_shards());
  if (analysis.global_batch == 0 && IgnoresBatch(workload)) {
    analysis.global_batch = target.batch_shards();
  }
  analysis.training = options.training && HasWeights(workload);
  analysis.shard_update = options.shard_update;
  analysis.disabled_passes = options.disabled_passes;
  analysis.steps_per_execution = Given(options.steps_per_execution);
  analysis.steps_per_epoch = Given(options.steps_per_epoch);
  analysis.examples_per_epoch = Given(options.examples);
  analysis.spec = SpecOf(options, workload);
  return analysis;
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Subject>> LoadAndAnalyze(
    const Options& options) {
  auto subject = std::make_unique<Subject>();
  TW_ASSIGN_OR_RETURN(subject->target, MakeTarget(options.chip, options.cores,
                                                  options.host, options.mesh));
  const Target& target = subject->target;
  TW_ASSIGN_OR_RETURN(
      subject->workload,
      ReadInputs(options.files, {.cores = target.batch_shards()},
                 options.training));
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
