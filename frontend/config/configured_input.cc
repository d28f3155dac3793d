// Stages, counts and files that settings name.

#include "frontend/config/configured_input.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tilewise {
namespace {

std::optional<int64_t> NumberAfter(std::string_view text,
                                   std::string_view mark) {
  const size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(at + mark.size());
  int64_t number = 0;
  const auto read =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
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

ConfiguredInput::ConfiguredInput(const Setting& block, PipelineRole role)
    : block_(block) {
  pipeline_.name = block.key;
  pipeline_.role = role;
  pipeline_.location = block.location;
}

void ConfiguredInput::AddFiles(std::string_view key) {
  Stage& files = Add(StageKind::kListFiles, nullptr, key);
  for (const Setting& setting : block_.children) {
    if (setting.key == key) TakePath(setting, files);
  }
  int64_t count = 0;
  for (const std::string& path : files.paths) {
    const auto of_pattern = FilesOfPattern(path);
    if (!of_pattern) return;
    count += *of_pattern;
  }
  if (count > 0) files.files = count;
}

Stage& ConfiguredInput::Add(StageKind kind, const Setting* amount,
                            std::string_view text) {
  Stage& stage = pipeline_.stages.emplace_back();
  stage.kind = kind;
  stage.text = std::string(text);
  stage.location = amount == nullptr ? block_.location : amount->location;
  stage.amount = CountOf(amount);
  return stage;
}

Workload ConfiguredWorkload(const InputFile& file, std::string_view format,
                            Framework framework) {
  Workload workload;
  workload.name = file.path;
  workload.format = std::string(format);
  workload.host_loop.framework = framework;
  workload.files.push_back({file.path, std::string(file.bytes), {}});
  return workload;
}

void TakePrecision(const Setting* type, Workload& workload) {
  if (type == nullptr || !type->is_scalar) return;
  std::string policy;
  if (type->value == "bfloat16") policy = "mixed_bfloat16";
  if (type->value == "float16") policy = "mixed_float16";
  if (type->value == "float32") policy = "float32";
  if (policy.empty()) return;
  workload.facts.precision_policy = policy;
  workload.facts.precision_policy_location = type->location;
}

}  // namespace tilewise
