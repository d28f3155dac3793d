// The last batch of an epoch, when it is smaller than the others.

#include "pipeline/partial_batch.h"

#include <algorithm>

#include "base/math.h"
#include "pipeline/chain.h"

namespace tilewise {
namespace {

constexpr StageKinds kChangesCount = {StageKind::kFilter,     StageKind::kFlatMap,
                                      StageKind::kInterleave, StageKind::kUnbatch,
                                      StageKind::kShard,      StageKind::kOther};

}  // namespace

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
