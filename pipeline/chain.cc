// Questions about the order of a pipeline's stages.

#include "pipeline/chain.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"

namespace tilewise {

bool IsOneOf(StageKind kind, StageKinds kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

std::optional<size_t> FirstOf(const Pipeline& pipeline, StageKinds kinds, size_t from) {
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

bool TakesBatches(const Pipeline& pipeline, size_t at) {
  int levels = 0;
  for (size_t i = 0; i < at && i < pipeline.stages.size(); ++i) {
    const StageKind kind = pipeline.stages[i].kind;
    if (kind == StageKind::kBatch || kind == StageKind::kPaddedBatch) ++levels;
    if (kind == StageKind::kUnbatch && levels > 0) --levels;
  }
  return levels > 0;
}

bool IsPreBatched(const Pipeline& pipeline) {
  return pipeline.stages.size() > 1 && pipeline.stages[1].kind == StageKind::kBatch &&
         pipeline.stages[1].location == pipeline.stages[0].location;
}

bool TakesFileNames(const Pipeline& pipeline, size_t at) {
  for (size_t i = at + 1; i < pipeline.stages.size(); ++i) {
    const Stage& stage = pipeline.stages[i];
    if (stage.kind != StageKind::kInterleave && stage.kind != StageKind::kFlatMap) {
      continue;
    }
    // What is not known to make examples is taken to open files.
    return stage.inner_source.value_or(StageKind::kRecordFiles) == StageKind::kRecordFiles;
  }
  return false;
}

std::string NameOfStage(const Stage& stage) {
  const bool calls = IsOneOf(stage.kind, {StageKind::kMap, StageKind::kFilter, StageKind::kFlatMap,
                                          StageKind::kInterleave});
  if (!calls) return std::string(StageName(stage.kind));
  const std::string& name = stage.function.name;
  return fmt::format("{}({})", StageName(stage.kind), name.empty() ? "lambda" : name);
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
  result.stages.insert(result.stages.begin() + static_cast<std::ptrdiff_t>(at), std::move(stage));
  return result;
}

}  // namespace tilewise
