// Options become what MakeTarget, the readers and MakeSession take; nothing is
// decided here that those could decide.

#include "cli/subject.h"

#include <optional>

#include <fmt/format.h>

#include "cli/file_batch.h"
#include "cli/read_inputs.h"
#include "graph/training.h"
#include "lint/fixed_dims.h"
#include "sim/lowering/xla_flags.h"

namespace tilewise {
namespace {

std::optional<int64_t> Given(int64_t value) {
  return value > 0 ? std::optional<int64_t>(value) : std::nullopt;
}

int64_t GlobalBatch(const TrainingOptions& options, int64_t shards) {
  return options.batch_per_core > 0 ? options.batch_per_core * shards : options.global_batch;
}

// A model without weights has nothing to train: it is run as it is.
bool HasWeights(const Workload& workload) {
  return !workload.graph || workload.graph->trainable_parameters() > 0;
}

// Per core, where no option or file names one: what the file's sizes were fixed
// for; one for a step that is the same at every batch; 0: not known.
int64_t DefaultBatch(const Workload& workload, const FileBatch& file_batch) {
  if (!workload.graph || workload.declared_global_batch()) return 0;
  if (file_batch.size) return *file_batch.size;
  return workload.graph->is_static() ? 1 : 0;
}

// Whether gradients are to be added, as the user says, else the files.
bool Trains(const TrainingOptions& options, const Workload& workload) {
  return options.training.value_or(workload.step != StepKind::kInference) && HasWeights(workload);
}

// Unset: as the files say.
std::optional<TrainingSpec> SpecOf(const TrainingOptions& options, const Workload& workload) {
  if (options.optimizer.empty() && options.remat.empty() && options.accumulation_steps == 0) {
    return std::nullopt;
  }
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
  if (options.accumulation_steps > 0) {
    spec.accumulation_steps = options.accumulation_steps;
  }
  return spec;
}

// A training step holds forward and backward pass in one: neither can be left
// out or added.
absl::Status CheckStep(const TrainingOptions& options, const Workload& workload) {
  const bool has_gradients = workload.step == StepKind::kTrainingStep;
  if (options.accumulation_steps > 1 && (has_gradients || options.training == false)) {
    return InvalidInput(fmt::format(
        "{}: found --gradient-accumulation with {}, expected a model to train", workload.name,
        has_gradients ? "a training step that has its gradients already" : "--infer"));
  }
  if (!has_gradients || options.training != false) {
    return absl::OkStatus();
  }
  return InvalidInput(
      fmt::format("{}: found --infer with a training step that has its gradients already, "
                  "expected the model as it is exported to serve",
                  workload.name));
}

SessionOptions SessionOptionsOf(const ModelOptions& options, const Workload& workload,
                                const FileBatch& file_batch, const Target& target) {
  SessionOptions session;
  session.global_batch = GlobalBatch(options.training, target.batch_shards());
  if (session.global_batch == 0) {
    session.global_batch = DefaultBatch(workload, file_batch) * target.batch_shards();
  }
  session.training = Trains(options.training, workload);
  session.shard_update = options.training.shard_update;
  session.xla_flags = *ParseXlaFlags(options.training.xla_flags);
  session.disabled_passes = options.lowering.disabled_passes;
  session.steps_per_execution = Given(options.loop.steps_per_execution);
  session.steps_per_epoch = Given(options.loop.steps_per_epoch);
  session.examples_per_epoch = Given(options.loop.examples);
  session.spec = SpecOf(options.training, workload);
  return session;
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Subject>> LoadSubject(const ModelOptions& options,
                                                           const LoadChoice& choice) {
  auto subject = std::make_unique<Subject>();
  if (choice.target != nullptr) {
    subject->target = *choice.target;
  } else {
    TW_ASSIGN_OR_RETURN(subject->target, TargetOf(options.target, options.config.origins));
  }
  const Target& target = subject->target;
  const LoadOptions load = {.cores = target.batch_shards(),
                            .input_format = options.inputs.format,
                            .training = options.training.training};
  TW_ASSIGN_OR_RETURN(subject->workload, ReadInputs(options.inputs.files, load, choice.texts));
  const Workload& workload = subject->workload;
  TW_RETURN_IF_ERROR(CheckStep(options.training, workload));
  TW_ASSIGN_OR_RETURN(
      const FileBatch file_batch,
      FreeBatch(options.training, {.tries_batches = choice.tries_batches}, subject->workload));
  SessionOptions session = SessionOptionsOf(options, workload, file_batch, target);
  TW_ASSIGN_OR_RETURN(session.fixed_dim, FixedDims(choice.fixed_dims));
  TW_ASSIGN_OR_RETURN(subject->session, MakeSession(workload, target, session));
  return subject;
}

absl::Status RequireModel(const Subject& subject) {
  if (subject.facts().model != nullptr) return absl::OkStatus();
  const std::string& name = subject.workload.name;
  if (!subject.session->notes().empty()) {
    const Diagnostic& note = subject.session->notes().front();
    const std::string place = note.location.known() ? FormatLocation(note.location) : name;
    return absl::FailedPreconditionError(place + ": " + note.message);
  }
  return absl::FailedPreconditionError(
      fmt::format("{}: found no model, expected a Keras model of literal layers or a "
                  "model.to_json() file",
                  name));
}

}  // namespace tilewise
