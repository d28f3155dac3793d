// Element counts change at batch and unbatch, sizes there and in maps.

#include "sim/item_flow.h"

#include <algorithm>
#include <cmath>

#include "pipeline/chain.h"

namespace tilewise {
namespace {

bool Decodes(const Pipeline& pipeline) {
  return std::any_of(pipeline.stages.begin(), pipeline.stages.end(),
                     [](const Stage& stage) { return stage.function.decodes; });
}

double FinalBytes(const Pipeline& pipeline, Bytes bytes_per_example) {
  const Bytes bytes = pipeline.item_bytes.value_or(bytes_per_example);
  return std::max(1.0, static_cast<double>(bytes.value));
}

double SourceBytes(const Pipeline& pipeline, double final_bytes) {
  if (pipeline.source_item_bytes) {
    return std::max(1.0, static_cast<double>(pipeline.source_item_bytes->value));
  }
  return Decodes(pipeline) ? final_bytes / kPhotoCompression : final_bytes;
}

double KnownGrowth(const Stage& stage) {
  return stage.kind == StageKind::kMap && stage.function.growth &&
                 std::isfinite(*stage.function.growth)
             ? std::max(0.0, *stage.function.growth)
             : 1;
}

bool HasUnknownGrowth(const Stage& stage) {
  return stage.kind == StageKind::kMap && !stage.function.growth;
}

const Stage* StageThatGrows(const Pipeline& pipeline) {
  const Stage* first = nullptr;
  for (const Stage& stage : pipeline.stages) {
    if (!HasUnknownGrowth(stage)) continue;
    if (stage.function.decodes) return &stage;
    if (first == nullptr) first = &stage;
  }
  return first;
}

// Elements that come in for each that goes on. Of names of files it drops none that was made.
double DroppedBy(const Pipeline& pipeline, const Stage& stage) {
  if (stage.kind != StageKind::kShard || stage.amount.kind != Count::Kind::kValue) return 1;
  const auto at = static_cast<size_t>(&stage - pipeline.stages.data());
  return TakesFileNames(pipeline, at) ? 1 : std::max(1.0, static_cast<double>(stage.amount.value));
}

}  // namespace

std::optional<double> BytesOfSource(const Pipeline& pipeline) {
  if (!pipeline.source_items || (!pipeline.source_item_bytes && !pipeline.item_bytes)) {
    return std::nullopt;
  }
  return static_cast<double>(*pipeline.source_items) *
         SourceBytes(pipeline, FinalBytes(pipeline, Bytes{}));
}

ItemFlow::ItemFlow(const Pipeline& pipeline, int64_t global_batch, Bytes bytes_per_example)
    : pipeline_(pipeline),
      global_batch_(static_cast<double>(global_batch)),
      elements_(global_batch_),
      grows_(StageThatGrows(pipeline)) {
  const double final_bytes = FinalBytes(pipeline, bytes_per_example);
  bytes_ = SourceBytes(pipeline, final_bytes);
  double reached = bytes_;
  for (const Stage& stage : pipeline.stages) reached *= KnownGrowth(stage);
  if (reached > 0) unexplained_growth_ = final_bytes / reached;
  for (const Stage& stage : pipeline.stages) dropped_ *= DroppedBy(pipeline, stage);
}

double ItemFlow::elements_after(const Stage& stage) const {
  switch (stage.kind) {
    case StageKind::kBatch:
    case StageKind::kPaddedBatch:
      return 1;
    case StageKind::kUnbatch:
      return global_batch_;
    default:
      return elements_;
  }
}

double ItemFlow::bytes_after(const Stage& stage) const {
  if (const std::optional<Bytes> measured = stage.measured.bytes_per_example) {
    return static_cast<double>(measured->value) * global_batch_ / elements_after(stage);
  }
  switch (stage.kind) {
    case StageKind::kMap:
      return bytes_ * (&stage == grows_ ? unexplained_growth_ : KnownGrowth(stage));
    case StageKind::kBatch:
    case StageKind::kPaddedBatch:
      return bytes_ * elements_;
    case StageKind::kUnbatch:
      return bytes_ * elements_ / global_batch_;
    default:
      return bytes_;
  }
}

void ItemFlow::Pass(const Stage& stage) {
  bytes_ = bytes_after(stage);
  elements_ = elements_after(stage);
  dropped_ /= DroppedBy(pipeline_, stage);
}

}  // namespace tilewise
