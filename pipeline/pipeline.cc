// Names and simple questions of pipelines.

#include "pipeline/pipeline.h"

#include <algorithm>

#include "base/math.h"

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
    case StageKind::kQueue:
      return "queue";
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

namespace {

int64_t BytesOf(std::string_view dtype) {
  if (dtype.ends_with("64")) return 8;
  if (dtype == "complex128") return 16;
  if (dtype.ends_with("16")) return 2;
  if (dtype.ends_with("32")) return 4;
  if (dtype.ends_with("8") || dtype == "bool") return 1;
  return 0;
}

}  // namespace

std::optional<int64_t> Leaf::bytes() const {
  int64_t bytes = BytesOf(dtype);
  if (bytes == 0 || !known_rank) return std::nullopt;
  for (const int64_t dim : dims) {
    if (dim < 0 || __builtin_mul_overflow(bytes, dim, &bytes)) {
      return std::nullopt;
    }
  }
  return bytes;
}

const WrittenArgument* Stage::Written(std::string_view parameter) const {
  const auto found = std::ranges::find(written, parameter, &WrittenArgument::parameter);
  return found == written.end() ? nullptr : &*found;
}

bool RuntimeVersion::AtLeast(int other_major, int other_minor) const {
  if (major != other_major) return major > other_major;
  return minor >= other_minor;
}

const PipelineOption* Pipeline::option(std::string_view key) const {
  for (auto it = options.rbegin(); it != options.rend(); ++it) {
    if (it->name == key) return &*it;
  }
  return nullptr;
}

int64_t Pipeline::made_by_host(int64_t global_batch, int64_t hosts) const {
  const bool whole = host_share == HostShare::kDropping || host_share == HostShare::kOneHost;
  return whole ? global_batch : CeilDiv(global_batch, hosts);
}

std::optional<int64_t> Pipeline::items_of_host(int64_t hosts) const {
  if (!source_items || host_share != HostShare::kPart) return source_items;
  return CeilDiv(*source_items, hosts);
}

bool Pipeline::order_is_off() const {
  for (const char* key : {"deterministic", "experimental_deterministic"}) {
    const PipelineOption* set = option(key);
    if (set != nullptr && set->value == "False") return true;
  }
  return false;
}

bool IsRemotePath(std::string_view path) {
  const size_t scheme = path.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view name = path.substr(0, scheme);
  return name != "file" && name != "ram";
}

const Stage* Pipeline::batch() const {
  bool rows = rows_are_steps;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    if (stage->kind == StageKind::kBatch || stage->kind == StageKind::kPaddedBatch) {
      if (!rows) return &*stage;
      rows = false;
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
