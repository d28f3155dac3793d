// Questions about the order of a pipeline's stages.

#include "rules/input/chain.h"

#include <algorithm>

#include "base/math.h"

namespace tilewise {

std::vector<const Pipeline*> FeedPipelines(const Facts& facts) {
  std::vector<const Pipeline*> result;
  for (const Pipeline& pipeline : facts.workload.pipelines) {
    if (pipeline.role == PipelineRole::kEvaluation) continue;
    if (pipeline.stages.empty()) continue;
    result.push_back(&pipeline);
  }
  return result;
}

bool IsOneOf(StageKind kind, StageKinds kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

std::optional<size_t> FirstOf(const Pipeline& pipeline, StageKinds kinds,
                              size_t from) {
  for (size_t i = from; i < pipeline.stages.size(); ++i) {
    if (IsOneOf(pipeline.stages[i].kind, kinds)) return i;
  }
  return std::nullopt;
}

std::optional<size_t> LastOf(const Pipeline& pipeline, StageKinds kinds) {
  for (size_t i = pipeline.stages.size(); i > 0; --i) {
    if (IsOneOf(pipeline.stages[i - 1].kind, kinds)) return i - 1;
  }
  return std::nullopt;
}

Pipeline Moved(const Pipeline& pipeline, size_t from, size_t to) {
  Pipeline result = pipeline;
  TW_CHECK(from < result.stages.size() && to <= result.stages.size());
  const auto at = [&result](size_t i) {
    return result.stages.begin() + static_cast<std::ptrdiff_t>(i);
  };
  if (from < to) {
    std::rotate(at(from), at(from + 1), at(to));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
  return result;
}

Pipeline WithStage(const Pipeline& pipeline, size_t at, StageKind kind) {
  Pipeline result = pipeline;
  TW_CHECK(at <= result.stages.size());
  Stage stage;
  stage.kind = kind;
  stage.amount.kind = Count::Kind::kAutotune;
  result.stages.insert(result.stages.begin() + static_cast<std::ptrdiff_t>(at),
                       std::move(stage));
  return result;
}

}  // namespace tilewise
