// Questions of a workload, and the merge of what several files say.

#include "workload/workload.h"

#include <iterator>

#include <fmt/format.h>

namespace tilewise {

const Pipeline* Workload::training_pipeline() const {
  const Pipeline* only = nullptr;
  int candidates = 0;
  for (const Pipeline& pipeline : pipelines) {
    if (pipeline.role == PipelineRole::kTraining) return &pipeline;
    const bool other =
        pipeline.role == PipelineRole::kEvaluation || pipeline.role == PipelineRole::kLook;
    if (other) continue;
    only = &pipeline;
    ++candidates;
  }
  return candidates == 1 ? only : nullptr;
}

std::optional<int64_t> Workload::declared_global_batch() const {
  if (const Pipeline* pipeline = training_pipeline()) {
    if (const std::optional<int64_t> batch = pipeline->batch_size()) {
      return batch;
    }
  }
  if (host_loop.fit_batch_size.kind == Count::Kind::kValue) {
    return host_loop.fit_batch_size.value;
  }
  return std::nullopt;
}

namespace {

// A model file has no compile() or pipelines of its own: its model is what the
// user exported, so it wins over the one a script seems to build.
bool IsModelFile(const Workload& part) {
  if (!part.graph.has_value()) return false;
  return part.facts.calls.empty();
}

std::string LocationOf(const Workload& part) {
  return part.files.empty() ? part.name : part.files.front().path;
}

bool SameSettings(const TrainingSpec& a, const TrainingSpec& b) {
  return a.optimizer == b.optimizer && a.loss == b.loss && a.sparse_labels == b.sparse_labels &&
         a.from_logits == b.from_logits && a.learning_rate == b.learning_rate;
}

std::string LocationOf(const TrainingSpec& spec, const Workload& part) {
  return spec.location.known() ? FormatLocation(spec.location) : LocationOf(part);
}

absl::Status MergeModel(std::vector<Workload>& parts, Workload& out) {
  Workload* chosen = nullptr;
  for (Workload& part : parts) {
    if (!part.graph.has_value()) continue;
    if (chosen == nullptr || (IsModelFile(part) && !IsModelFile(*chosen))) {
      chosen = &part;
    } else if (IsModelFile(part) == IsModelFile(*chosen)) {
      return InvalidInput(fmt::format("found two models, in {} and in {}, expected one",
                                      LocationOf(*chosen), LocationOf(part)));
    }
  }
  if (chosen == nullptr) return absl::OkStatus();
  out.graph = std::move(chosen->graph);
  out.layers = chosen->layers;
  out.opaque_layers = chosen->opaque_layers;
  out.sizes_assumed = chosen->sizes_assumed;
  out.lower_bound = std::move(chosen->lower_bound);
  out.model_size = chosen->model_size;
  out.mesh = chosen->mesh;
  out.xla_flags = std::move(chosen->xla_flags);
  out.xla_flags_location = std::move(chosen->xla_flags_location);
  out.one_device = chosen->one_device;
  out.step = chosen->step;
  out.format = chosen->format;
  out.producer = chosen->producer;
  out.source_ops = std::move(chosen->source_ops);
  out.compilation = std::move(chosen->compilation);
  out.module = std::move(chosen->module);
  return absl::OkStatus();
}

// What a script compiles overrides what else it makes, and that what a model file remembers.
int WeightOfTraining(const Workload& part) {
  if (part.host_loop.compile.known()) return 2;
  return IsModelFile(part) ? 0 : 1;
}

// Whether the part says how its model is trained. A program that was not read tells only which
// optimizer it makes, which contradicts no other part.
bool HasSettings(const Workload& part) {
  return part.host_loop.compile.known() || part.graph.has_value();
}

// What the program does not say is as the model has it.
void FillTraining(const TrainingSpec& model, TrainingSpec& spec) {
  if (!spec.loss_known && spec.loss_name.empty()) {
    spec.loss = model.loss;
    spec.loss_known = model.loss_known;
    spec.loss_name = model.loss_name;
    spec.sparse_labels = model.sparse_labels;
    spec.from_logits = model.from_logits;
  }
  if (!spec.optimizer_known && spec.optimizer_name.empty()) {
    spec.optimizer = model.optimizer;
    spec.optimizer_known = model.optimizer_known;
    spec.optimizer_name = model.optimizer_name;
  }
}

absl::Status MergeTraining(const std::vector<Workload>& parts, Workload& out) {
  const Workload* from = nullptr;
  const Workload* model = nullptr;
  for (const Workload& part : parts) {
    if (!part.training.has_value()) continue;
    if (IsModelFile(part)) model = &part;
    if (from == nullptr || WeightOfTraining(part) > WeightOfTraining(*from)) {
      from = &part;
    } else if (WeightOfTraining(part) == WeightOfTraining(*from) && HasSettings(part) &&
               !SameSettings(*from->training, *part.training)) {
      return InvalidInput(
          fmt::format("found two compile() calls with different settings, at {} and at {}, "
                      "expected one",
                      LocationOf(*from->training, *from), LocationOf(*part.training, part)));
    }
  }
  if (from != nullptr) out.training = from->training;
  if (model != nullptr && model != from) FillTraining(*model->training, *out.training);
  return absl::OkStatus();
}

// The part that compiles or fits drives; the others only add strategies.
void MergeHostLoop(const std::vector<Workload>& parts, Workload& out) {
  const auto weight = [](const HostLoop& loop) {
    return (loop.fit.known() ? 2 : 0) + (loop.compile.known() ? 1 : 0);
  };
  for (const Workload& part : parts) {
    const HostLoop& loop = part.host_loop;
    const bool strategy = out.host_loop.uses_tpu_strategy || loop.uses_tpu_strategy;
    const bool known = out.host_loop.framework != Framework::kUnknown;
    if (weight(loop) > weight(out.host_loop) || (!known && loop.framework != Framework::kUnknown)) {
      out.host_loop = loop;
    }
    out.host_loop.uses_tpu_strategy = strategy;
  }
}

template <typename T>
void Append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Notes about the script's own model say nothing more once there is a model
// file.
void DropModelNotes(std::vector<Diagnostic>& notes) {
  std::erase_if(notes, [](const Diagnostic& note) {
    return note.message.find("write model.to_json()") != std::string::npos;
  });
}

}  // namespace

namespace {

// The release of TensorFlow that the program pins, if any, else what a pipeline's own file says.
void NameRelease(Workload& workload) {
  std::optional<RuntimeVersion> release;
  // Only the first release has tf.contrib.
  const bool is_first = std::ranges::any_of(workload.facts.calls, [](const SourceCall& call) {
    return call.name.starts_with("tensorflow.contrib.");
  });
  if (is_first) release = RuntimeVersion{1};
  for (const PackageVersion& pin : workload.facts.versions) {
    const bool exact = pin.relation == "==" || pin.relation == "~=";
    if (!exact || pin.package != "tensorflow") continue;
    release = RuntimeVersion{pin.major, pin.minor};
    break;
  }
  if (!release) return;
  for (Pipeline& pipeline : workload.pipelines) pipeline.runtime = release;
}

}  // namespace

absl::StatusOr<Workload> MergeWorkloads(std::vector<Workload> parts) {
  if (parts.empty()) return InvalidInput("found nothing to read");
  if (parts.size() == 1) {
    NameRelease(parts.front());
    return std::move(parts.front());
  }
  Workload out;
  bool model_file = false;
  for (const Workload& part : parts) {
    out.name += fmt::format("{}{}", out.name.empty() ? "" : " + ", part.name);
    model_file = model_file || IsModelFile(part);
  }
  TW_RETURN_IF_ERROR(MergeTraining(parts, out));
  TW_RETURN_IF_ERROR(MergeModel(parts, out));
  MergeHostLoop(parts, out);
  for (Workload& part : parts) {
    if (model_file && !part.facts.calls.empty()) DropModelNotes(part.notes);
    Append(out.pipelines, part.pipelines);
    Append(out.notes, part.notes);
    Append(out.files, part.files);
    Append(out.consulted, part.consulted);
    Append(out.memory_reports, part.memory_reports);
    Append(out.whole_reshards, part.whole_reshards);
    Append(out.recompiled, part.recompiled);
    Append(out.slow_batch_hooks, part.slow_batch_hooks);
    out.run_log.Append(std::move(part.run_log));
    out.facts.Append(std::move(part.facts));
  }
  NameRelease(out);
  return out;
}

}  // namespace tilewise
