// The decoder is that of the zoo, which published runs of MaxText are held against. Defaults are
// those of MaxText's configs/base.yml.

#include "frontend/maxtext/read_maxtext.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "frontend/config/configured_input.h"
#include "frontend/maxtext/decoder_spec.h"
#include "frontend/maxtext/maxtext_values.h"
#include "frontend/text_file.h"
#include "graph/graph_builder.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

// What MaxText calls the axes of its mesh, once inside a slice (ici_) and once across (dcn_).
struct Axis {
  std::string_view name;
  int64_t Mesh::*extent;
};
constexpr std::array<Axis, 14> kAxes = {{
    {"diloco", &Mesh::data},
    {"data", &Mesh::data},
    {"pipeline", &Mesh::stage},
    {"fsdp", &Mesh::fsdp},
    {"fsdp_transpose", &Mesh::fsdp},
    {"expert", &Mesh::expert},
    {"sequence", &Mesh::context},
    {"context", &Mesh::context},
    {"context_usp_ulysses", &Mesh::context},
    {"context_autoregressive", &Mesh::context},
    {"tensor", &Mesh::tensor},
    {"tensor_transpose", &Mesh::tensor},
    {"tensor_sequence", &Mesh::tensor},
    {"autoregressive", &Mesh::tensor},
}};
constexpr int64_t kLongestAxis = 1 << 16;

// Tensors that the policy `custom` names, each kept, offloaded or made again.
constexpr std::array<std::string_view, 20> kRematTensors = {"decoder_layer_input",
                                                            "context",
                                                            "mlpwi",
                                                            "mlpwi_0",
                                                            "mlpwi_1",
                                                            "mlpwo",
                                                            "moe_mlpwi_0",
                                                            "moe_mlpwi_1",
                                                            "moe_mlpwo",
                                                            "query_proj",
                                                            "key_proj",
                                                            "value_proj",
                                                            "kv_proj",
                                                            "qkv_proj",
                                                            "out_proj",
                                                            "query_wa_proj",
                                                            "kv_wa_proj",
                                                            "mla_q",
                                                            "mla_kv",
                                                            "attention_out"};

class MaxTextReader {
 public:
  MaxTextReader(const InputFile& file, const LoadOptions& options, const MaxTextValues& values)
      : options_(options),
        devices_(options.devices > 0 ? options.devices : options.cores),
        values_(values),
        out_(ConfiguredWorkload(file, "maxtext", Framework::kJax)) {}

  Workload Read() {
    ReadModel();
    ReadTraining();
    ReadMesh();
    ReadBatch();
    out_.consulted = values_.consulted();
    return std::move(out_);
  }

 private:
  Location At(std::string_view key) const {
    const Setting* setting = values_.Find(key);
    return setting == nullptr || setting->location.line == 0 ? values_.start() : setting->location;
  }

  void Note(std::string_view rule, std::string_view key, std::string message,
            Severity severity = Severity::kInfo) {
    Diagnostic& note = out_.notes.emplace_back();
    note.rule = rule;
    note.severity = severity;
    note.location = At(key);
    note.message = std::move(message);
  }

  void ReadModel() {
    if (!values_.missing_model().empty()) {
      Note("RD002", "model_name",
           fmt::format("the file {} of the model is not there: the sizes are those of base.yml",
                       values_.missing_model()),
           Severity::kWarning);
    }
    const absl::StatusOr<DecoderSpec> spec = DecoderSpecOf(values_);
    absl::StatusOr<Workload> model =
        spec.ok() ? LoadZoo(spec->text, options_.training.value_or(true)) : spec.status();
    if (!model.ok()) {
      Note("RD005", "decoder_block", fmt::format("no model was read: {}", Message(model.status())),
           Severity::kWarning);
      return;
    }
    if (!spec->uncosted.empty()) {
      Note("RD003", spec->uncosted.front(),
           fmt::format("{} of the model {} no cost here", fmt::join(spec->uncosted, ", "),
                       spec->uncosted.size() == 1 ? "has" : "have"));
    }
    out_.layers = model->layers;
    out_.training = std::move(model->training);
    out_.graph = Located(*std::move(model->graph));
  }

  // Layers are filed under the configuration, which is all that the user wrote of them.
  Graph Located(Graph graph) const {
    std::string name = graph.name();
    std::vector<Output> outputs = graph.outputs();
    OpList ops = std::move(graph).TakeOps();
    for (Op& op : ops) {
      std::string item = std::move(op.location.item);
      op.location = At("base_emb_dim");
      op.location.item = std::move(item);
    }
    return *GraphBuilder::Assemble(std::move(name), std::move(ops), std::move(outputs));
  }

  void ReadTraining() {
    if (!out_.training.has_value()) return;
    TrainingSpec& training = *out_.training;
    const std::string kind = values_.Text("opt_type", "adamw");
    const bool is_known = kind == "adamw" || kind == "adam_pax" || kind == "sgd";
    training.optimizer = kind == "sgd" ? OptimizerKind::kSgd : OptimizerKind::kAdamW;
    training.optimizer_known = true;
    training.optimizer_name = kind;
    if (!is_known) {
      Note("RD002", "opt_type", fmt::format("the optimizer '{}' is taken as AdamW", kind),
           Severity::kWarning);
    }
    training.location = At("opt_type");
    training.momentum_type = TypeOf("mu_dtype");
    const std::optional<DType> gradients = TypeOf("grad_dtype");
    if (gradients != TypeOf("weight_dtype")) training.gradient_type = gradients;
    constexpr int64_t kMostParts = 64;  // they are lowered one by one
    const int64_t parts = values_.Integer("gradient_accumulation_steps", 1);
    training.accumulation_steps = std::clamp<int64_t>(parts, 1, kMostParts);
    if (parts > kMostParts) {
      Note("RD002", "gradient_accumulation_steps",
           fmt::format("gradients of {} batches are taken to be accumulated, not of {}", kMostParts,
                       parts),
           Severity::kWarning);
    }
    ReadRemat(training);
  }

  std::optional<DType> TypeOf(std::string_view key) const {
    const std::string name = values_.Text(key, "");
    if (name == "bfloat16") return DType::kBF16;
    return name == "float32" ? std::optional(DType::kF32) : std::nullopt;
  }

  // Those of fused products, and each for itself.
  bool IsMade(std::string_view tensor) const {
    if (tensor == "qkv_proj") return values_.Flag("fused_qkv", false);
    return tensor != "mlpwi" || values_.Flag("fused_mlp", false);
  }

  void ReadRemat(TrainingSpec& training) {
    const std::string name = values_.Text("remat_policy", "full");
    std::string text = name == "custom" ? "full" : name;
    std::vector<std::string_view> unknown;
    for (const std::string_view tensor : kRematTensors) {
      if (name != "custom" || !IsMade(tensor)) continue;
      const std::string value = values_.Text(tensor, "remat");
      const bool is_standard =
          value == "remat" || (tensor == kRematTensors[0] && value == "device");
      if (is_standard) continue;
      const std::string item =
          fmt::format(",{}={}", tensor, value == "offload" ? "offload" : "save");
      if (ParseRematPolicy("full" + item).ok()) {
        text += item;
      } else {
        unknown.push_back(tensor);
      }
    }
    absl::StatusOr<RematPolicy> policy = ParseRematPolicy(text);
    if (!policy.ok() || !unknown.empty()) {
      Note(
          "RD002", "remat_policy",
          fmt::format("{} of the rematerialisation policy '{}' {} not known: made again in the "
                      "backward pass",
                      unknown.empty() ? "the tensors" : fmt::format("{}", fmt::join(unknown, ", ")),
                      name, unknown.size() == 1 ? "is" : "are"),
          Severity::kWarning);
    }
    if (!policy.ok()) policy = ParseRematPolicy("full");
    training.remat = policy->base;
    training.remat_tensors = std::move(policy->tensors);
  }

  int64_t Extent(std::string_view level, std::string_view axis, int64_t otherwise) const {
    return values_.Integer(fmt::format("{}_{}_parallelism", level, axis), otherwise);
  }

  // The axes of a level on `cores` cores (or slices): one may be -1 and takes what is left.
  void ReadLevel(std::string_view level, int64_t cores, std::string_view filled, Mesh& mesh) {
    int64_t product = 1;
    const Axis* open = nullptr;
    for (const Axis& axis : kAxes) {
      const int64_t extent = Extent(level, axis.name, axis.name == filled ? -1 : 1);
      if (extent == -1) {
        open = &axis;
      } else {
        const int64_t given = std::clamp<int64_t>(extent, 1, kLongestAxis);
        mesh.*axis.extent *= given;
        product = std::min(product * given, kLongestAxis * kLongestAxis);
      }
    }
    if (open != nullptr) mesh.*open->extent *= std::max<int64_t>(1, cores / product);
  }

  // MaxText's defaults: fsdp inside of a slice, data across.
  void ReadMesh() {
    Mesh mesh;
    mesh.data = 1;
    ReadLevel("ici", devices_ / options_.slices, "fsdp", mesh);
    ReadLevel("dcn", options_.slices, "data", mesh);
    mesh.slices = options_.slices;
    if (mesh.stage > 1) ReadStages(mesh);
    const std::string strategy = values_.Text("context_parallel_strategy", "all_gather");
    if (mesh.context > 1 && strategy != "all_gather") {
      Note("RD003", "context_parallel_strategy",
           fmt::format("context_parallel_strategy '{}' is simulated as a gather of all keys and "
                       "values",
                       strategy));
    }
    out_.mesh = mesh;
  }

  void ReadStages(Mesh& mesh) {
    const int64_t microbatches = values_.Integer("num_pipeline_microbatches", -1);
    if (microbatches > 0) mesh.microbatches = microbatches;
    const int64_t layers = values_.Integer("base_num_decoder_layers", 1);
    const int64_t pipelined = values_.Integer("pipeline_parallel_layers", -1);
    const int64_t in_stage =
        std::max<int64_t>(1, values_.Integer("num_layers_per_pipeline_stage", 1));
    const int64_t repeats = values_.Integer("num_pipeline_repeats", -1);
    mesh.repeats = std::max<int64_t>(1, repeats > 0 ? repeats : layers / mesh.stage / in_stage);
    if (pipelined > 0 && pipelined != layers) {
      Note("RD002", "pipeline_parallel_layers",
           fmt::format("all {} layers are taken to be in the pipeline, not {}", layers, pipelined),
           Severity::kWarning);
    }
  }

  // The batch is that of a step, which accumulates the gradients of several.
  void ReadBatch() {
    const double per_device = values_.Number("per_device_batch_size", 12);
    const int64_t parts = out_.training ? out_.training->accumulation_steps : 1;
    const double batch = per_device * static_cast<double>(devices_ * parts);
    Setting setting;
    setting.location = At("per_device_batch_size");
    ConfiguredInput input(setting, true);
    setting.key = "per_device_batch_size";
    setting.is_scalar = true;
    setting.value = std::to_string(std::max<int64_t>(1, std::llround(batch)));
    input.Batch(&setting)->written.clear();  // the file has another number: that of a device
    input.Prefetch(nullptr);
    out_.pipelines.push_back(std::move(input).Take());
    AddAssignment("per_device_batch_size", std::llround(per_device));
    if (parts > 1) AddAssignment("gradient_accumulation_steps", parts);
  }

  // What advice names as the setting to change.
  void AddAssignment(std::string_view key, int64_t value) {
    SourceAssignment& assignment = out_.facts.assignments.emplace_back();
    assignment.targets = {std::string(key)};
    assignment.text = std::to_string(value);
    assignment.location = At(key);
  }

  const LoadOptions& options_;
  const int64_t devices_;
  const MaxTextValues& values_;
  Workload out_;
};

}  // namespace

bool LooksLikeMaxText(const InputFile& file) {
  const bool yaml = file.path.ends_with(".yml") || file.path.ends_with(".yaml");
  const auto has = [&](std::string_view text) {
    return file.bytes.find(text) != std::string_view::npos;
  };
  if (!yaml || !LooksLikeText(file)) return false;
  const bool is_model = has("base_emb_dim:") && has("base_num_decoder_layers:");
  return is_model || (has("model_name:") && (has("per_device_batch_size:") || has("base_config:")));
}

absl::StatusOr<Workload> ReadMaxText(const InputFile& file, const LoadOptions& options) {
  TW_ASSIGN_OR_RETURN(const MaxTextValues values,
                      MaxTextValues::Read(file, options.program.arguments));
  if (values.Find("base_emb_dim") == nullptr) {
    // The error is "not found", not "invalid", so that a walk passes such files by.
    const std::string wanted = !values.missing_model().empty()  ? values.missing_model()
                               : !values.missing_base().empty() ? values.missing_base()
                                                                : "the base.yml";
    return absl::NotFoundError(
        fmt::format("{}: found a YAML configuration without the sizes of a model, expected {} of "
                    "MaxText beside it",
                    file.path, wanted));
  }
  const std::string hardware = values.Text("hardware", "tpu");
  if (hardware.starts_with("gpu")) {
    return absl::NotFoundError(fmt::format(
        "{}: found hardware: {}, expected a configuration for TPUs", file.path, hardware));
  }
  return MaxTextReader(file, options, values).Read();
}

}  // namespace tilewise
