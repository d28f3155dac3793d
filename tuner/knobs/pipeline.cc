// The stages of the input pipeline as they are, ahead of the device, or on all
// cores of the host as well.

#include <algorithm>

#include <fmt/format.h>

#include "tuner/knob.h"

namespace tilewise {
namespace {

constexpr Count kAutotune{.kind = Count::Kind::kAutotune};

void Prefetch(Pipeline& pipeline) {
  if (!pipeline.stages.empty() && pipeline.stages.back().kind == StageKind::kPrefetch) return;
  Stage stage;
  stage.kind = StageKind::kPrefetch;
  stage.amount = kAutotune;
  pipeline.stages.push_back(std::move(stage));
}

void RunInParallel(Pipeline& pipeline) {
  for (Stage& stage : pipeline.stages) {
    const bool may = stage.kind == StageKind::kMap || stage.kind == StageKind::kInterleave;
    // What is not pure keeps its order.
    if (may && !stage.function.stateful) stage.parallel_calls = kAutotune;
  }
  Prefetch(pipeline);
}

absl::StatusOr<std::vector<SearchSetting>> PipelineSettings(const SearchSetting& base,
                                                            std::span<const std::string> values) {
  std::vector<std::string> words(values.begin(), values.end());
  if (words.empty()) words = {"own", "prefetch", "parallel"};
  const bool has_pipeline = base.workload->training_pipeline() != nullptr;
  std::vector<SearchSetting> settings;
  for (const std::string& word : words) {
    SearchSetting setting = base;
    if (word == "prefetch") {
      setting.edit.pipeline = Prefetch;
      setting.changes.push_back("prefetch(AUTOTUNE)");
    } else if (word == "parallel") {
      setting.edit.pipeline = RunInParallel;
      setting.changes.push_back("num_parallel_calls=AUTOTUNE, prefetch(AUTOTUNE)");
    } else if (word != "own") {
      return InvalidInput(
          fmt::format("--search pipeline: found '{}', expected own, prefetch or parallel", word));
    }
    if (has_pipeline || word == "own") settings.push_back(std::move(setting));
  }
  if (settings.empty()) settings.push_back(base);
  return settings;
}

}  // namespace

Knob PipelineKnob() {
  return {.name = "pipeline",
          .values = "own, prefetch, parallel",
          .needs = "an input pipeline that could be read",
          .settings = PipelineSettings};
}

}  // namespace tilewise
