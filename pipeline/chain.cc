// Questions about the order of a pipeline's stages.

#include "pipeline/chain.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/math.h"

namespace tilewise {
namespace {

constexpr StageKinds kChangesCount = {StageKind::kFilter,     StageKind::kFlatMap,
                                      StageKind::kInterleave, StageKind::kUnbatch,
                                      StageKind::kShard,      StageKind::kOther};

}  // namespace

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

bool IsOfSource(const Pipeline& pipeline, size_t at) {
  const Location& source = pipeline.stages.front().location;
  return at > 0 && source.known() && pipeline.stages[at].location == source;
}

bool IsPreBatched(const Pipeline& pipeline) {
  const auto batch = FirstOf(pipeline, {StageKind::kBatch});
  return batch.has_value() && IsOfSource(pipeline, *batch);
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

std::optional<size_t> PartialBatchStage(const Pipeline& pipeline) {
  const auto index = LastOf(pipeline, {StageKind::kBatch, StageKind::kPaddedBatch});
  if (!index) return std::nullopt;
  const auto repeat = FirstOf(pipeline, {StageKind::kRepeat});
  if (repeat && *repeat < *index) return std::nullopt;
  const Stage& stage = pipeline.stages[*index];
  if (stage.drop_remainder.value_or(false) || stage.amount.is(1)) {
    return std::nullopt;
  }
  return index;
}

std::optional<int64_t> ItemsAt(const Pipeline& pipeline, size_t end) {
  const auto changed = FirstOf(pipeline, kChangesCount);
  if (changed && *changed < end) return std::nullopt;
  return pipeline.source_items;
}

Seconds WasteOfPartialStep(Seconds partial, Seconds full, int64_t items, int64_t batch) {
  const double share = static_cast<double>(items % batch) / static_cast<double>(batch);
  const Seconds waste = std::max(Seconds{}, partial - full * share);
  return waste / static_cast<double>(CeilDiv(items, batch));
}

}  // namespace tilewise
