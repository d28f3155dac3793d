// Names and simple questions of pipelines.

#include "pipeline/pipeline.h"

namespace tilewise {

std::string_view StageName(StageKind kind) {
  switch (kind) {
    case StageKind::kFromTensorSlices:
      return "from_tensor_slices";
    case StageKind::kFromGenerator:
      return "from_generator";
    case StageKind::kRange:
      return "range";
    case StageKind::kListFiles:
      return "list_files";
    case StageKind::kRecordFiles:
      return "record files";
    case StageKind::kNamedDataset:
      return "named dataset";
    case StageKind::kZip:
      return "zip";
    case StageKind::kUnknownSource:
      return "unknown source";
    case StageKind::kMap:
      return "map";
    case StageKind::kFilter:
      return "filter";
    case StageKind::kFlatMap:
      return "flat_map";
    case StageKind::kInterleave:
      return "interleave";
    case StageKind::kBatch:
      return "batch";
    case StageKind::kUnbatch:
      return "unbatch";
    case StageKind::kPaddedBatch:
      return "padded_batch";
    case StageKind::kShuffle:
      return "shuffle";
    case StageKind::kRepeat:
      return "repeat";
    case StageKind::kCache:
      return "cache";
    case StageKind::kPrefetch:
      return "prefetch";
    case StageKind::kTake:
      return "take";
    case StageKind::kSkip:
      return "skip";
    case StageKind::kShard:
      return "shard";
    case StageKind::kEnumerate:
      return "enumerate";
    case StageKind::kWithOptions:
      return "with_options";
    case StageKind::kOther:
      return "other";
  }
  return "?";
}

bool IsSource(StageKind kind) { return kind <= StageKind::kUnknownSource; }

const Stage* Pipeline::batch() const {
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    if (stage->kind == StageKind::kBatch ||
        stage->kind == StageKind::kPaddedBatch) {
      return &*stage;
    }
  }
  return nullptr;
}

std::optional<int64_t> Pipeline::batch_size() const {
  const Stage* stage = batch();
  if (stage == nullptr || stage->amount.kind != Count::Kind::kValue) {
    return std::nullopt;
  }
  int64_t global = 0;
  if (__builtin_mul_overflow(stage->amount.value, batches_per_step, &global)) {
    return std::nullopt;
  }
  return global;
}

}  // namespace tilewise
