// pipeline.config of the Object Detection API: train_config and the input
// readers, and what the library's dataset builder makes of them (its defaults
// as in input_reader.proto and dataset_builder.py of tensorflow/models).

#include <algorithm>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/config/configured_input.h"
#include "frontend/config/read_config.h"
#include "frontend/text_file.h"

namespace tilewise {
namespace {

constexpr size_t kProtoStart = size_t{64} << 10;
constexpr int64_t kParallelBatches = 8;

// Whether images keep sizes of their own: they cannot be stacked then, and a
// batch is padded to its largest.
bool KeepsImageSizes(const Setting& setting) {
  if (setting.key == "keep_aspect_ratio_resizer") return !setting.Says("pad_to_max_dimension");
  return setting.key == "identity_resizer" ||
         std::any_of(setting.children.begin(), setting.children.end(), KeepsImageSizes);
}

void AddReaders(const Setting& reader, ConfiguredInput& input) {
  const Setting* records = reader.Find("tf_record_input_reader");
  const std::optional<int64_t> shards =
      input.Files(records == nullptr ? reader : *records, "input_path");
  const Setting* readers = reader.Find("num_readers");
  Stage& read = input.Read(readers, "num_readers");
  // The builder takes no more readers than there are files.
  if (shards && read.amount.kind == Count::Kind::kValue) {
    read.amount.value = std::min(read.amount.value, *shards);
  }
  read.parallel_calls = read.amount;
  if (readers != nullptr) {
    read.written.push_back({"num_parallel_calls", readers->value_span});
  }
}

void AddParse(const Setting& reader, const Setting* augmentation, const Count& batch,
              ConfiguredInput& input) {
  Stage& map = input.Parse("num_parallel_batches", augmentation != nullptr);
  map.function.name = "decode";
  // The default works on eight batches at a time; it is the library's choice.
  const Setting* batches = reader.Find("num_parallel_batches");
  if (batches == nullptr) return;
  map.location = batches->location;
  const int64_t parallel = batches->integer().value_or(kParallelBatches);
  if (batch.kind == Count::Kind::kValue && parallel > 0 && batch.value > 0 &&
      batch.value < 1000000 && parallel < 1000000) {
    map.parallel_calls = {Count::Kind::kValue, parallel * batch.value};
  }
}

Pipeline ReaderPipeline(const Setting& reader, const Setting* config, bool keeps_sizes,
                        bool training) {
  ConfiguredInput input(reader, training);
  AddReaders(reader, input);
  if (training && reader.Says("shuffle", true)) input.Shuffle(reader.Find("shuffle_buffer_size"));
  const Setting* size = config == nullptr ? nullptr : config->Find("batch_size");
  const Setting* augmentation =
      training && config != nullptr ? config->Find("data_augmentation_options") : nullptr;
  AddParse(reader, augmentation, CountOf(size), input);
  Stage* batch = input.Batch(size);
  if (batch != nullptr && keeps_sizes) batch->kind = StageKind::kPaddedBatch;
  const Setting* ahead = reader.FindOneOf({"num_prefetch_batches", "prefetch_size"});
  Stage& prefetch = input.Prefetch(ahead);
  if (ahead == nullptr) prefetch.amount = {Count::Kind::kValue, 2};
  return std::move(input).Take();
}

void TakeReaders(const Setting& root, const Setting* config, std::string_view key, bool training,
                 bool keeps_sizes, Workload& workload) {
  for (const Setting& reader : root.children) {
    if (reader.key != key) continue;
    workload.pipelines.push_back(ReaderPipeline(reader, config, keeps_sizes, training));
    if (training) return;
  }
}

}  // namespace

bool LooksLikePipelineConfig(const InputFile& file) {
  const std::string_view start = file.bytes.substr(0, kProtoStart);
  const auto has = [&](std::string_view word) {
    return start.find(word) != std::string_view::npos;
  };
  const bool reader = has("train_input_reader") || has("train_config") || has("eval_input_reader");
  const bool model =
      start.starts_with("model {") || has("\nmodel {") || has("\nmodel: {") || has("\nmodel{");
  const bool config = file.path.ends_with(".config");
  return LooksLikeText(file) && (reader || config) && (model || config) && has("{");
}

absl::StatusOr<Workload> ReadPipelineConfig(const InputFile& file, const LoadOptions&) {
  TW_ASSIGN_OR_RETURN(const Setting root, ParseTextprotoSettings(file));
  Workload workload = ConfiguredWorkload(file, "pipeline-config", Framework::kTpuEstimator);
  workload.host_loop.uses_tpu_strategy = true;
  const Setting* model = root.Find("model");
  const bool keeps_sizes = model != nullptr && KeepsImageSizes(*model);
  const Setting* train = root.Find("train_config");
  TakeReaders(root, train, "train_input_reader", true, keeps_sizes, workload);
  TakeReaders(root, root.Find("eval_config"), "eval_input_reader", false, keeps_sizes, workload);
  if (workload.pipelines.empty()) {
    return InvalidInput(fmt::format(
        "{}: found no train_input_reader and no eval_input_reader, expected the whole "
        "pipeline.config, or the model that it configures as exporter_main_v2.py writes it",
        file.path));
  }
  if (train != nullptr) {
    TakeHalfPrecision(train->Find("use_bfloat16"), *train, workload);
  }
  return workload;
}

}  // namespace tilewise
