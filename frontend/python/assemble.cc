// Chooses what the script trains: the model that is fitted (else compiled, else
// built last), the pipelines that nothing continues, and the host loop.

#include "frontend/python/assemble.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "frontend/python/keras_models.h"

namespace tilewise::python {
namespace {

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

PipelineRole RoleByName(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(c));
  for (const char* part : {"test", "val", "eval", "dev_", "predict", "infer"}) {
    if (Has(lower, part)) return PipelineRole::kEvaluation;
  }
  return Has(lower, "train") ? PipelineRole::kTraining : PipelineRole::kUnknown;
}

// ds.take(1) without a name of its own: a look at the data, not a pipeline.
bool IsLook(const Dataset& dataset) {
  const Stage& last = dataset.pipeline.stages.back();
  return last.kind == StageKind::kTake && last.amount.value <= 32 &&
         dataset.pipeline.role == PipelineRole::kUnknown && dataset.from != nullptr &&
         dataset.from->pipeline.name == dataset.pipeline.name;
}

std::vector<Pipeline> EndsOf(std::vector<Dataset*>& datasets) {
  std::set<const Dataset*> dropped;
  for (auto it = datasets.rbegin(); it != datasets.rend(); ++it) {
    if ((*it)->continued > 0 || !IsLook(**it)) continue;
    --(*it)->from->continued;
    dropped.insert(*it);
  }
  std::vector<Pipeline> result;
  std::set<std::pair<PipelineRole, std::vector<Location>>> seen;
  for (const Dataset* dataset : datasets) {
    const bool end = dataset->continued == 0 || dataset->pipeline.role == PipelineRole::kTraining;
    if (!dataset->reported || !end || dropped.contains(dataset)) continue;
    Pipeline pipeline = dataset->pipeline;
    if (pipeline.role == PipelineRole::kUnknown) {
      pipeline.role = RoleByName(pipeline.name);
    }
    std::vector<Location> places;
    for (const Stage& stage : pipeline.stages) {
      places.push_back(stage.location);
    }
    if (!seen.emplace(pipeline.role, places).second) continue;
    result.push_back(std::move(pipeline));
  }
  return result;
}

const FitCall* MainFit(const TrainingCalls& training) {
  for (const FitCall& fit : training.fits) {
    if (fit.model != nullptr) return &fit;
  }
  return training.fits.empty() ? nullptr : &training.fits.front();
}

// The one that was in force when the model was fitted.
const CompileCall* MainCompile(const TrainingCalls& training, const FitCall* fit,
                               const Model* model) {
  if (fit != nullptr && fit->model == model && fit->compile >= 0) {
    return &training.compiles[fit->compile];
  }
  for (const CompileCall& compile : training.compiles) {
    if (model != nullptr && compile.model == model) return &compile;
  }
  return training.compiles.empty() ? nullptr : &training.compiles.back();
}

// Models whose trainable variables are asked for, in order of making.
std::vector<Model*> TrainedByHand(const Interpreter& in) {
  std::vector<Model*> result;
  for (Model* model : in.models) {
    if (model->gradients.known() && model->unresolved.empty()) {
      result.push_back(model);
    }
  }
  return result;
}

Model* MainModel(const Interpreter& in, const FitCall* fit) {
  if (fit != nullptr && fit->model != nullptr) return fit->model;
  const auto& compiles = in.training.compiles;
  for (auto it = compiles.rbegin(); it != compiles.rend(); ++it) {
    if (it->model != nullptr) return it->model;
  }
  // A loop of the user's own trains what it takes gradients of.
  const std::vector<Model*> trained = TrainedByHand(in);
  if (!trained.empty()) return trained.front();
  for (auto it = in.models.rbegin(); it != in.models.rend(); ++it) {
    if ((*it)->unresolved.empty()) return *it;
  }
  return nullptr;
}

// The shape of the first array of an example, without batch dims.
std::optional<Array> ExampleInput(const FitCall* fit) {
  if (fit == nullptr || !fit->example.has_value()) return std::nullopt;
  const Value* value = &*fit->example;
  const std::vector<Value>* items = Items(*value);
  if (items != nullptr && !items->empty()) value = &(*items)[0];
  const Array* array = value->ref<Array>();
  if (array == nullptr) return std::nullopt;
  Array result = *array;
  const int levels = fit->dataset == nullptr ? 0 : fit->dataset->batch_levels;
  for (int i = 0; i < levels && !result.dims.empty(); ++i) {
    result.dims.erase(result.dims.begin());
  }
  return result;
}

void AddModel(Interpreter& in, const FitCall* fit, Model* model, Workload& out) {
  if (model == nullptr) return;
  const std::optional<Array> example = ExampleInput(fit);
  std::optional<std::vector<int64_t>> shape;
  if (example.has_value()) shape = example->dims;
  const std::optional<KerasModel> finished =
      FinishModel(in, *model, shape, example.has_value() ? example->dtype : "");
  if (!finished.has_value()) return;
  absl::StatusOr<KerasGraph> built = BuildKerasGraph(*finished, true);
  if (!built.ok()) {
    in.Note("RD002", model->location,
            fmt::format("model {} cannot be costed: {}", model->name, Message(built.status())),
            Severity::kWarning);
    return;
  }
  out.graph = std::move(built->graph);
  out.layers = built->layers;
  out.opaque_layers = std::move(built->opaque);
  out.module.unknown_dims = std::move(built->unknown_dims);
  for (Diagnostic& note : built->notes) in.notes.push_back(std::move(note));
}

void AddCompile(const CompileCall& compile, Workload& out) {
  out.training = compile.spec;
  out.host_loop.compile = compile.location;
  out.host_loop.compile_arguments = compile.arguments;
  out.host_loop.steps_per_execution = compile.steps_per_execution;
  out.host_loop.steps_per_execution_location = compile.steps_per_execution_location;
  out.host_loop.run_eagerly = compile.run_eagerly;
}

void AddHostLoop(const Interpreter& in, const FitCall* fit, const Model* model, Workload& out) {
  const TrainingCalls& training = in.training;
  HostLoop& loop = out.host_loop;
  loop.uses_tpu_strategy = training.tpu_strategy;
  loop.remote_tpu = training.remote_tpu;
  loop.framework = training.framework;
  const CompileCall* compile = MainCompile(training, fit, model);
  if (compile != nullptr) AddCompile(*compile, out);
  if (fit != nullptr) {
    loop.fit = fit->location;
    loop.epochs = fit->epochs;
    loop.steps_per_epoch = fit->steps_per_epoch;
    loop.fit_batch_size = fit->batch_size;
    loop.callbacks = fit->callbacks;
  }
  const bool keras = fit != nullptr || compile != nullptr;
  if (keras && (loop.framework == Framework::kUnknown ||
                (loop.framework == Framework::kCustomLoop && fit != nullptr))) {
    loop.framework = Framework::kKeras;
  }
  if (loop.framework == Framework::kTpuEstimator) {
    loop.steps_per_execution = training.iterations_per_loop;
    loop.steps_per_execution_location = training.iterations_location;
    loop.fit_batch_size = training.train_batch_size;
    loop.fit = training.framework_location;
  }
}

std::string LineOf(const Location& place) {
  return place.cell > 0 ? fmt::format("line {} of cell {}", place.line, place.cell)
                        : fmt::format("line {}", place.line);
}

void NoteOtherFits(Interpreter& in, const FitCall* fit, const Model* model) {
  for (const FitCall& other : in.training.fits) {
    if (&other == fit || other.model == nullptr) continue;
    if (other.model != model) {
      in.Note("RD003", other.location,
              fmt::format("another model is trained here; this report is about "
                          "the one trained at {}",
                          LineOf(fit->location)));
    } else if (other.compile != fit->compile) {
      in.Note("RD003", other.location,
              fmt::format("the model is compiled anew and trained again here; "
                          "this report is about fit() at {}",
                          LineOf(fit->location)));
    }
  }
}

// Steps of a user's own loop over several models, such as the two of a GAN.
void NoteOtherModels(Interpreter& in, const FitCall* fit, const Model* model) {
  if (fit != nullptr || !in.training.compiles.empty() || model == nullptr) {
    return;
  }
  for (const Model* other : TrainedByHand(in)) {
    if (other == model) continue;
    in.Note("RD003", other->gradients,
            fmt::format("the step also trains model {}, made at {}; this report "
                        "is about model {} only, made at {}",
                        other->name, LineOf(other->location), model->name, LineOf(model->location)),
            Severity::kWarning);
  }
}

}  // namespace

Workload Assemble(Interpreter& in) {
  Workload out;
  const FitCall* fit = MainFit(in.training);
  Model* model = MainModel(in, fit);
  AddModel(in, fit, model, out);
  AddHostLoop(in, fit, model, out);
  NoteOtherFits(in, fit, model);
  NoteOtherModels(in, fit, model);
  NoteFlagDefaults(in);
  out.pipelines = EndsOf(in.datasets);
  out.facts.precision_policy = in.facts.precision_policy;
  out.facts.precision_policy_location = in.facts.precision_policy_location;
  out.facts.tpu_strategy = in.training.tpu_strategy;
  out.notes = std::move(in.notes);
  std::stable_sort(out.notes.begin(), out.notes.end(), ReportsBefore);
  return out;
}

}  // namespace tilewise::python
