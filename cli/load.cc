// Which reader an argument belongs to is decided here and nowhere else. Options
// become what MakeTarget, the readers and MakeSession take.

#include "cli/load.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/math.h"
#include "cli/file_batch.h"
#include "frontend/python/project_pins.h"
#include "graph/training.h"
#include "hardware/device_kind.h"
#include "hardware/torus.h"
#include "lint/fixed_dims.h"
#include "session/measured_input.h"
#include "sim/lowering/xla_flags.h"
#include "workload/blocks.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

absl::StatusOr<Workload> ReadInput(const std::string& argument, const LoadOptions& options,
                                   const FileTexts* texts) {
  if (texts != nullptr) {
    const auto text = texts->find(argument);
    if (text != texts->end()) return LoadBytes({argument, text->second}, options);
  }
  if (IsZooSpec(argument)) {
    return LoadZoo(argument, options.training.value_or(true));
  }
  return LoadFiles({argument}, options);
}

std::optional<int64_t> Given(int64_t value) {
  return value > 0 ? std::optional<int64_t>(value) : std::nullopt;
}

// A model without weights has nothing to train: it is run as it is.
bool HasWeights(const Workload& workload) {
  return !workload.graph || workload.graph->trainable_parameters() > 0;
}

// Returns the batch per core where no option or file names one: what the file's sizes were fixed
// for; one for a step that is the same at every batch; 0: not known.
int64_t DefaultBatch(const Workload& workload, const FileBatch& file_batch) {
  if (!workload.graph || workload.declared_global_batch()) return 0;
  if (file_batch.size) return *file_batch.size;
  return workload.graph->is_static() ? 1 : 0;
}

// Unset: as the files say.
std::optional<TrainingSpec> SpecOf(const TrainingOptions& options, const Workload& workload) {
  const bool is_given = !options.optimizer.empty() || !options.momentum_type.empty() ||
                        !options.gradient_type.empty() || !options.remat.empty() ||
                        options.accumulation_steps > 0;
  if (!is_given) return std::nullopt;
  TrainingSpec spec = workload.training.value_or(TrainingSpec{});
  if (!options.optimizer.empty()) {
    spec.optimizer = *ParseOptimizer(options.optimizer);
    spec.optimizer_known = true;
  }
  if (!options.momentum_type.empty()) spec.momentum_type = ParseDType(options.momentum_type);
  if (!options.gradient_type.empty()) spec.gradient_type = ParseDType(options.gradient_type);
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

// The batch of a device may be a fraction of a sequence: the other devices have the rest.
absl::StatusOr<int64_t> BatchOfDevices(double per_device, const Target& target) {
  const double batch = per_device * static_cast<double>(target.cores);
  const auto whole = static_cast<int64_t>(std::llround(batch));
  const int64_t shards = target.batch_shards();
  if (std::abs(batch - static_cast<double>(whole)) < 1e-6 && whole > 0 && whole % shards == 0) {
    return whole;
  }
  return InvalidInput(fmt::format(
      "--batch-per-device: found {:g} on {} devices, {:g} examples for {} shards of the batch; "
      "expected a multiple of {}: share an example among more devices with --mesh context=N or "
      "tensor=N",
      per_device, FormatCount(target.cores), batch, FormatCount(shards), FormatCount(shards)));
}

absl::StatusOr<int64_t> GlobalBatch(const TrainingOptions& options, const Workload& workload,
                                    const FileBatch& file_batch, const Target& target) {
  const int64_t shards = target.batch_shards();
  if (options.batch_per_device > 0) return BatchOfDevices(options.batch_per_device, target);
  if (options.batch_per_core > 0) return options.batch_per_core * shards;
  if (options.global_batch > 0) return options.global_batch;
  return DefaultBatch(workload, file_batch) * shards;
}

// Where no option says otherwise, the devices are laid out as the program does.
void UseMeshOf(const TargetOptions& options, Loaded& loaded) {
  const Mesh slices_alone = {.slices = options.mesh.slices};
  if (!loaded.workload.mesh.has_value() || options.mesh != slices_alone) return;
  loaded.workload.mesh->slices = options.mesh.slices;
  const absl::StatusOr<Mesh> mesh = FillMesh(*loaded.workload.mesh, loaded.target.cores);
  if (mesh.ok()) {
    loaded.target.mesh = *mesh;
    return;
  }
  Diagnostic note;
  note.rule = "RD002";
  note.severity = Severity::kWarning;
  note.message = fmt::format("the program's mesh {} is not used: {}; give --mesh",
                             FormatMesh(*loaded.workload.mesh), Message(mesh.status()));
  loaded.workload.notes.push_back(std::move(note));
}

// Where no option says otherwise, XLA has the flags that the program sets.
XlaFlags XlaFlagsOf(const TrainingOptions& options, Workload& workload) {
  if (!options.xla_flags.empty()) return *ParseXlaFlags(options.xla_flags);
  const absl::StatusOr<XlaFlags> flags = ParseXlaFlags(workload.xla_flags);
  if (flags.ok() && *flags == XlaFlags{}) return {};
  Diagnostic& note = workload.notes.emplace_back();
  note.location = workload.xla_flags_location;
  if (!flags.ok()) {
    note.rule = "RD002";
    note.severity = Severity::kWarning;
    note.message = fmt::format("the program's LIBTPU_INIT_ARGS are not used: {}; give --xla-flags",
                               Message(flags.status()));
    return {};
  }
  note.rule = "RD003";
  note.severity = Severity::kInfo;
  note.message = "the figures are those with the program's LIBTPU_INIT_ARGS";
  return *flags;
}

// What a program that trains on one device leaves idle has no part in its figures.
void SayThatOneTrains(const Location& place, Loaded& loaded) {
  const Target& target = loaded.target;
  Diagnostic note;
  note.rule = "RD003";
  note.severity = Severity::kWarning;
  note.location = place;
  const bool torch = loaded.workload.host_loop.framework == Framework::kTorchXla;
  note.message = fmt::format(
      "the program trains on one {0}: it {1}; the figures are those of that {0}, the other {2} of "
      "the slice are idle; --mesh data={3} shows the batch shared among all, as after {4}",
      target.device(),
      torch ? "starts no process for each device and does not turn SPMD on"
            : "names no mesh, sharding or pmap",
      target.idle_cores, target.slice_cores(),
      torch ? "torch_xla.launch() or torch_xla.runtime.use_spmd()"
            : "sharding it over a jax.sharding.Mesh");
  loaded.workload.notes.push_back(std::move(note));
}

// A program of PyTorch alone runs on no TPU as it is: what is said of its loop holds once it does.
void SayThatItIsMoved(Workload& workload) {
  const bool torch = Imports(workload.facts, "torch") && !Imports(workload.facts, "torch_xla");
  if (!torch || workload.host_loop.framework != Framework::kTorchXla) return;
  Diagnostic& note = workload.notes.emplace_back();
  note.rule = "RD003";
  note.severity = Severity::kInfo;
  note.location = workload.host_loop.fit;
  note.message =
      "the program does not import torch_xla: the figures are those of its loop moved to "
      "PyTorch/XLA";
}

// A model beside a program is trained as the program does, where that was seen.
void SayThatOptimizerIsUnknown(Workload& workload) {
  const TrainingSpec spec = workload.training.value_or(TrainingSpec{});
  if (!workload.graph || workload.facts.imports.empty() || spec.optimizer_known) return;
  const bool named = !spec.optimizer_name.empty();
  Diagnostic& note = workload.notes.emplace_back();
  note.rule = "RD002";
  note.severity = Severity::kWarning;
  if (named) note.location = spec.location;
  note.message = fmt::format(
      "{}; {} stands in, which keeps {} tensors of state for each weight: memory and time are "
      "those of that; give --optimizer",
      named ? fmt::format("what the optimizer {} of the program keeps is not known",
                          spec.optimizer_name)
            : "the optimizer of the program is not known",
      OptimizerName(spec.optimizer), OptimizerSlots(spec.optimizer));
}

}  // namespace

absl::StatusOr<Workload> ReadInputs(const std::vector<std::string>& arguments,
                                    const LoadOptions& options, const FileTexts* texts) {
  std::vector<Workload> parts;
  for (const std::string& argument : arguments) {
    TW_ASSIGN_OR_RETURN(Workload part, ReadInput(argument, options, texts));
    // A program that imports packages runs with the releases that its project
    // asks for.
    if (!part.facts.imports.empty()) python::AddProjectPins(argument, part.facts);
    parts.push_back(std::move(part));
  }
  return MergeWorkloads(std::move(parts));
}

namespace {

// The one chip that has as much HBM as a log says; empty: the log says nothing of it, or
// no chip or several have.
std::string ChipOfLog(const Workload& workload) {
  Bytes capacity;
  for (const MemoryReport& report : workload.memory_reports) {
    if (report.space == "hbm") capacity = std::max(capacity, report.capacity);
  }
  for (const StatedMemory& stated : workload.run_log.memory) {
    if (stated.kind == StatedMemory::Kind::kInUse) capacity = std::max(capacity, stated.capacity);
  }
  std::string found;
  for (const std::string& name : ChipNames()) {
    const absl::StatusOr<Chip> chip = FindChip(name);
    if (!chip.ok()) continue;
    constexpr double kRounding = 0.005;  // of sizes that are printed
    const auto hbm = static_cast<double>(chip->usable_hbm().value);
    if (std::abs(static_cast<double>(capacity.value) - hbm) > kRounding * hbm) continue;
    if (!found.empty()) return "";
    found = name;
  }
  return found;
}

SliceShape SliceShapeOf(const Target& target) {
  const Chip& chip = target.chip;
  const int64_t chips =
      CeilDiv(target.slice_cores(), chip.cores_per_chip * std::max<int64_t>(target.mesh.slices, 1));
  return {.device_kind = DeviceKind(chip.name),
          .devices_of_chip = chip.cores_per_chip,
          .axes = TorusAxes(chips, chip)};
}

}  // namespace

absl::StatusOr<Loaded> Load(const ModelOptions& options, const LoadChoice& choice) {
  Loaded loaded;
  const TrainingOptions& training = options.training;
  if (choice.target != nullptr) {
    loaded.target = *choice.target;
  } else {
    TW_ASSIGN_OR_RETURN(loaded.target, TargetOf(options.target, options.config.origins));
  }
  Workload& workload = loaded.workload;
  const auto read = [&] {
    return ReadInputs(options.inputs.files,
                      {.cores = loaded.target.batch_shards(),
                       .hosts = loaded.target.hosts(),
                       .slices = loaded.target.mesh.slices,
                       .devices = loaded.target.cores,
                       .shape = SliceShapeOf(loaded.target),
                       .input_format = options.inputs.format,
                       .training = training.training,
                       .program = options.inputs.program},
                      choice.texts);
  };
  TW_ASSIGN_OR_RETURN(workload, read());
  if (choice.target == nullptr && !options.target.chip_given && !workload.graph) {
    TargetOptions target = options.target;
    if (std::string chip = ChipOfLog(workload); !chip.empty()) {
      target.chip = std::move(chip);
      TW_ASSIGN_OR_RETURN(loaded.target, TargetOf(target, options.config.origins));
    }
  }
  if (workload.one_device && loaded.target.cores > 1 && options.target.mesh == Mesh{}) {
    loaded.target = OneCoreOf(loaded.target);
    TW_ASSIGN_OR_RETURN(workload, read());
    if (workload.one_device) SayThatOneTrains(*workload.one_device, loaded);
  }
  SayThatItIsMoved(workload);
  UseMeshOf(options.target, loaded);
  TW_ASSIGN_OR_RETURN(const MeasuredInput measured, ParseMeasuredInput(options.loop.measured));
  TW_RETURN_IF_ERROR(ApplyMeasuredInput(measured, options.config.FromOf("pipeline"),
                                        workload.pipelines, loaded.target.host));
  TW_RETURN_IF_ERROR(CheckStep(training, workload));
  TW_ASSIGN_OR_RETURN(const FileBatch file_batch,
                      FreeBatch(training, {.tries_batches = choice.tries_batches}, workload));
  SessionOptions& settings = loaded.settings;
  TW_ASSIGN_OR_RETURN(settings.global_batch,
                      GlobalBatch(training, workload, file_batch, loaded.target));
  settings.training =
      HasWeights(workload) && training.training.value_or(workload.step != StepKind::kInference);
  settings.shard_update = training.shard_update;
  settings.xla_flags = XlaFlagsOf(training, workload);
  settings.disabled_passes = options.lowering.disabled_passes;
  settings.steps_per_execution = Given(options.loop.steps_per_execution);
  settings.steps_per_epoch = Given(options.loop.steps_per_epoch);
  settings.examples_per_epoch = Given(options.loop.examples);
  settings.spec = SpecOf(training, workload);
  const bool optimizer_matters =
      settings.training && training.optimizer.empty() && workload.step != StepKind::kTrainingStep;
  if (optimizer_matters && options.inputs.files.size() > 1) SayThatOptimizerIsUnknown(workload);
  TW_ASSIGN_OR_RETURN(settings.fixed_dim, FixedDims(choice.fixed_dims));
  return loaded;
}

absl::StatusOr<std::unique_ptr<const Session>> MakeSession(const Loaded& loaded) {
  return MakeSession(loaded.workload, loaded.target, loaded.settings);
}

namespace {

// Why there is no step: the model could not be lowered, or not be read.
const Diagnostic* ReasonOf(const Session& session) {
  if (!session.notes().empty()) return &session.notes().front();
  const std::vector<Diagnostic>& notes = session.workload().notes;
  const auto unread = std::ranges::find(notes, "RD005", &Diagnostic::rule);
  return unread == notes.end() ? nullptr : &*unread;
}

}  // namespace

absl::Status RequireModel(const Session& session) {
  if (session.Step() != nullptr) return absl::OkStatus();
  const std::string& name = session.workload().name;
  if (const Diagnostic* note = ReasonOf(session)) {
    const std::string place = note->location.known() ? FormatLocation(note->location) : name;
    return absl::FailedPreconditionError(place + ": " + note->message);
  }
  const bool reads_data = !session.workload().pipelines.empty();
  return absl::FailedPreconditionError(fmt::format(
      "{}: found no model, expected a model file or a program that makes and trains one{}", name,
      reads_data ? "; its input pipeline was found: 'inspect' shows it, 'lint' judges it" : ""));
}

}  // namespace tilewise
