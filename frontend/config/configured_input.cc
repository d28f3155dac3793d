// Stages, counts and files that settings name.

#include "frontend/config/configured_input.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tilewise {
namespace {

std::optional<int64_t> NumberAfter(std::string_view text, std::string_view mark) {
  const size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(at + mark.size());
  int64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || number < 1) return std::nullopt;
  return number;
}

void TakePath(const Setting& path, Stage& files) {
  if (path.is_scalar && !path.value.empty()) {
    files.paths.push_back(path.value);
    files.location = path.location;
  }
  for (const Setting& element : path.children) TakePath(element, files);
}

}  // namespace

std::optional<int64_t> FilesOfPattern(std::string_view pattern) {
  const auto of = NumberAfter(pattern, "-of-");
  return of ? of : NumberAfter(pattern, "@");
}

Count CountOf(const Setting* setting) {
  if (setting == nullptr) return {};
  const std::optional<int64_t> number = setting->integer();
  if (!number) return {Count::Kind::kUnresolved};
  if (*number < 0) return {Count::Kind::kAutotune};
  return {Count::Kind::kValue, *number};
}

ConfiguredInput::ConfiguredInput(const Setting& block, bool training) : block_(block) {
  pipeline_.name = block.key;
  pipeline_.role = training ? PipelineRole::kTraining : PipelineRole::kEvaluation;
  pipeline_.location = block.location;
}

Stage& ConfiguredInput::Add(StageKind kind, std::string_view text, const Setting* amount,
                            std::string_view parameter) {
  Stage& stage = pipeline_.stages.emplace_back();
  stage.kind = kind;
  stage.text = std::string(text);
  stage.location = block_.location;
  if (parameter.empty()) return stage;
  stage.amount = {Count::Kind::kAutotune};
  if (amount == nullptr || amount->is_null()) return stage;
  stage.text = amount->key;
  stage.location = amount->location;
  stage.amount = CountOf(amount);
  stage.written.push_back({std::string(parameter), amount->value_span});
  return stage;
}

void ConfiguredInput::Named(std::string_view name) {
  Add(StageKind::kNamedDataset, name, nullptr, "");
}

std::optional<int64_t> ConfiguredInput::Files(const Setting& holder, std::string_view key) {
  Stage& files = Add(StageKind::kListFiles, key, nullptr, "");
  for (const Setting& setting : holder.children) {
    if (setting.key == key) TakePath(setting, files);
  }
  int64_t count = 0;
  for (const std::string& path : files.paths) {
    const auto of_pattern = FilesOfPattern(path);
    if (!of_pattern) return std::nullopt;
    count += *of_pattern;
  }
  if (count > 0) files.files = count;
  return files.files;
}

Stage& ConfiguredInput::Read(const Setting* readers, std::string_view text) {
  Stage& read = Add(StageKind::kInterleave, text, readers, "cycle_length");
  read.parallel_calls = {Count::Kind::kAutotune};
  read.inner_source = StageKind::kRecordFiles;
  read.deterministic = false;
  return read;
}

void ConfiguredInput::Cache(const Setting* flag) {
  if (flag == nullptr || !flag->boolean().value_or(false)) return;
  Add(StageKind::kCache, "cache", nullptr, "").location = flag->location;
}

void ConfiguredInput::Shuffle(const Setting* buffer) {
  if (buffer != nullptr) {
    Add(StageKind::kShuffle, "shuffle_buffer_size", buffer, "buffer_size");
  }
}

Stage& ConfiguredInput::Parse(std::string_view text, bool random) {
  Stage& parse = Add(StageKind::kMap, text, nullptr, "");
  parse.parallel_calls = {Count::Kind::kAutotune};
  parse.function.name = "parse";
  parse.function.decodes = true;
  parse.function.random = random;
  return parse;
}

Stage* ConfiguredInput::Batch(const Setting* size) {
  if (size == nullptr) return nullptr;
  Stage& batch = Add(StageKind::kBatch, "batch_size", size, "batch_size");
  if (size->is_null()) batch.amount = {Count::Kind::kUnresolved};
  batch.drop_remainder = true;
  return &batch;
}

Stage& ConfiguredInput::Prefetch(const Setting* batches) {
  return Add(StageKind::kPrefetch, "prefetch", batches, "buffer_size");
}

bool ConfiguredInput::Flag(std::string_view parameter, const Setting* setting, bool standard) {
  if (setting == nullptr) return standard;
  pipeline_.stages.back().written.push_back({std::string(parameter), setting->value_span});
  return setting->boolean().value_or(standard);
}

void ConfiguredInput::SetItems(std::optional<int64_t> items) { pipeline_.source_items = items; }

Workload ConfiguredWorkload(const InputFile& file, std::string_view format, Framework framework) {
  Workload workload;
  workload.name = file.path;
  workload.format = std::string(format);
  workload.host_loop.framework = framework;
  workload.files.push_back({file.path, std::string(file.bytes), {}});
  return workload;
}

void TakePrecision(const Setting* type, const Setting& block, Workload& workload) {
  SourceFacts& facts = workload.facts;
  facts.precision_policy_location = block.location;
  if (type == nullptr || type->is_null()) return;
  if (type->value == "bfloat16") facts.precision_policy = "mixed_bfloat16";
  if (type->value == "float16") facts.precision_policy = "mixed_float16";
  if (type->value == "float32") facts.precision_policy = "float32";
  facts.precision_policy_location = facts.precision_policy ? type->location : Location{};
}

void TakeHalfPrecision(const Setting* flag, const Setting& block, Workload& workload) {
  SourceFacts& facts = workload.facts;
  facts.precision_policy_location = flag == nullptr ? block.location : flag->location;
  if (flag == nullptr) return;
  facts.precision_policy = flag->boolean().value_or(false) ? "mixed_bfloat16" : "float32";
}

}  // namespace tilewise
