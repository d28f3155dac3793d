// YAML of Model Garden (runtime, task, trainer; DataConfig of
// official/core/config_definitions.py gives the defaults) with its earlier form
// (train_dataset), and of the TPU reference models (train.train_batch_size).

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/config/configured_input.h"
#include "frontend/config/read_config.h"
#include "frontend/text_file.h"

namespace tilewise {
namespace {

constexpr size_t kYamlStart = size_t{256} << 10;

// Keys that only training configurations have.
constexpr std::array<std::string_view, 8> kMarks = {
    "global_batch_size:",     "train_batch_size:", "steps_per_loop:", "iterations_per_loop:",
    "distribution_strategy:", "train_data:",       "train_dataset:",  "train_file_pattern:"};

void AddSource(const Setting& block, ConfiguredInput& input) {
  const Setting* named = block.FindOneOf({"tfds_name", "builder"});
  if (named != nullptr && !named->value.empty()) {
    input.Named(named->value);
    return;
  }
  const Setting* paths = block.FindOneOf({"input_path", "train_file_pattern", "file_pattern"});
  input.Files(block, paths == nullptr ? "input_path" : paths->key);
  Stage& read = input.Read(block.FindOneOf({"cycle_length", "num_readers"}), "readers");
  read.deterministic = input.Flag("deterministic", block.Find("deterministic"), false);
}

void AddBatch(const Setting& block, const LoadOptions& options, ConfiguredInput& input) {
  Stage* batch = input.Batch(block.FindOneOf({"global_batch_size", "batch_size"}));
  if (batch == nullptr) return;
  if (block.Says("use_per_replica_batch_size") && batch->amount.kind == Count::Kind::kValue &&
      batch->amount.value < (int64_t{1} << 40)) {
    batch->amount.value *= options.cores;
  }
  batch->drop_remainder = input.Flag("drop_remainder", block.Find("drop_remainder"), true);
}

// A data block of either form.
Pipeline DataPipeline(const Setting& block, bool training, const LoadOptions& options) {
  ConfiguredInput input(block, training);
  AddSource(block, input);
  input.Cache(block.Find("cache"));
  if (training) {
    input.Shuffle(block.FindOneOf({"shuffle_buffer_size", "shuffle_buffer"}));
  }
  input.Parse("parser", training);
  AddBatch(block, options, input);
  input.Prefetch(block.FindOneOf({"prefetch_buffer_size", "num_prefetch"}));
  const Setting* examples = block.Find("num_examples");
  if (examples != nullptr) input.SetItems(examples->integer());
  return std::move(input).Take();
}

// The batch alone, as the TPU reference models have it.
Pipeline BatchAlone(const Setting& block, const Setting& size, bool training) {
  ConfiguredInput input(block, training);
  input.Files(block, training ? "train_file_pattern" : "eval_file_pattern");
  input.Batch(&size);
  input.Prefetch(nullptr);
  return std::move(input).Take();
}

void TakeData(const Setting& root, const LoadOptions& options, Workload& workload) {
  const Setting* task = root.Find("task");
  const Setting& holder = task == nullptr ? root : *task;
  if (const Setting* block = holder.FindOneOf({"train_data", "train_dataset"})) {
    workload.pipelines.push_back(DataPipeline(*block, true, options));
  }
  if (const Setting* block = holder.FindOneOf({"validation_data", "validation_dataset"})) {
    workload.pipelines.push_back(DataPipeline(*block, false, options));
  }
  for (const bool training : {true, false}) {
    const std::string_view key = training ? "train_batch_size" : "eval_batch_size";
    const Setting* block = root.Find(training ? "train" : "eval");
    const Setting* size = block == nullptr ? nullptr : block->FindOneOf({key, "batch_size"});
    if (size == nullptr) {
      block = &root;
      size = root.Find(key);
    }
    if (size != nullptr) {
      workload.pipelines.push_back(BatchAlone(*block, *size, training));
    }
  }
}

void TakeLoop(const Setting& root, Workload& workload) {
  HostLoop& loop = workload.host_loop;
  const Setting* holder = root.FindOneOf({"trainer", "train", "runtime"});
  if (holder == nullptr) holder = &root;
  const Setting* steps = holder->FindOneOf({"steps_per_loop", "iterations_per_loop"});
  if (steps == nullptr) {
    steps = root.FindOneOf({"steps_per_loop", "iterations_per_loop"});
  }
  if (steps != nullptr) {
    loop.steps_per_execution = CountOf(steps);
    loop.steps_per_execution_location = steps->location;
    loop.fit = steps->location;
  }
  if (const Setting* epochs = holder->Find("epochs")) {
    loop.epochs = CountOf(epochs);
  }
}

void TakeRuntime(const Setting& root, Workload& workload) {
  const Setting* runtime = root.Find("runtime");
  if (runtime == nullptr) return;
  const Setting* strategy = runtime->Find("distribution_strategy");
  workload.host_loop.uses_tpu_strategy = strategy != nullptr && strategy->value == "tpu";
  workload.facts.tpu_strategy = workload.host_loop.uses_tpu_strategy;
  TakePrecision(runtime->Find("mixed_precision_dtype"), *runtime, workload);
  workload.host_loop.run_eagerly = runtime->Says("run_eagerly");
}

}  // namespace

bool LooksLikeTrainingYaml(const InputFile& file) {
  if (!LooksLikeText(file)) return false;
  const char first = FirstCharacter(file);
  if (first == '{' || first == '<' || first == '[') return false;
  if (!file.path.ends_with(".yaml") && !file.path.ends_with(".yml")) return false;
  const std::string_view start = file.bytes.substr(0, kYamlStart);
  return std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) {
    return start.find(mark) != std::string_view::npos;
  });
}

absl::StatusOr<Workload> ReadTrainingYaml(const InputFile& file, const LoadOptions& options) {
  TW_ASSIGN_OR_RETURN(const Setting root, ParseYamlSettings(file));
  Workload workload = ConfiguredWorkload(file, "training-yaml", Framework::kCustomLoop);
  TakeData(root, options, workload);
  TakeLoop(root, workload);
  TakeRuntime(root, workload);
  if (workload.pipelines.empty() && !workload.host_loop.steps_per_execution.present()) {
    // The error is "not found", not "invalid", so that a walk passes such files
    // by.
    return absl::NotFoundError(fmt::format(
        "{}: found a YAML configuration without data or loop, expected the whole experiment, or "
        "the model that it configures: tf.saved_model.save(model, 'DIR')",
        file.path));
  }
  const Setting* half = root.Find({"architecture", "use_bfloat16"});
  if (half != nullptr) TakeHalfPrecision(half, *half, workload);
  return workload;
}

}  // namespace tilewise
