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

// A rewrite and the releases: from which it may act, from which the documentation says so.
struct DefaultRewrite {
  std::string_view name;
  int earliest = 0, documented = 0;  // 2.x
};
constexpr DefaultRewrite kDefaultRewrites[] = {{"map_parallelization", 0, 7},
                                               {"inject_prefetch", 13, 13}};

}  // namespace

bool IsOneOf(StageKind kind, StageKinds kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool DecodesImage(std::string_view call) {
  constexpr std::string_view kCalls[] = {
      "decode_jpeg", "decode_and_crop_jpeg", "decode_png",  "decode_image",
      "decode_bmp",  "decode_gif",           "decode_webp", "imread",
      "imdecode",    "read_image",           "DecodeJpeg",  "DecodeAndCropJpeg",
      "DecodePng",   "DecodeImage",          "DecodeBmp",   "DecodeGif"};
  const std::string_view name = call.substr(call.rfind('.') + 1);
  return std::ranges::find(kCalls, name) != std::end(kCalls) || call == "PIL.Image.open";
}

bool IsPythonCall(std::string_view call) {
  constexpr std::string_view kCalls[] = {"py_function", "numpy_function", "py_func",
                                         "PyFunc",      "EagerPyFunc",    "PyFuncStateless"};
  const std::string_view name = call.substr(call.rfind('.') + 1);
  return std::ranges::find(kCalls, name) != std::end(kCalls);
}

std::string PythonCall(const MapFunction& function) {
  const auto found = std::ranges::find_if(function.calls, IsPythonCall);
  return found == function.calls.end() ? "" : found->substr(found->rfind('.') + 1);
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

std::optional<bool> ActsByDefault(const Pipeline& pipeline, std::string_view rewrite) {
  const auto* const known = std::ranges::find(kDefaultRewrites, rewrite, &DefaultRewrite::name);
  const bool is_known = known != std::end(kDefaultRewrites);
  if (!is_known || !pipeline.loader.empty()) return false;
  const auto is_off = [&](std::string_view option) {
    const PipelineOption* set = pipeline.option(option);
    return set != nullptr && set->value == "False";
  };
  const PipelineOption* own = pipeline.option(fmt::format("experimental_optimization.{}", rewrite));
  if (own != nullptr) return own->value == "True";
  if (is_off("experimental_optimization.apply_default_optimizations")) return false;
  const bool tuned = !is_off("autotune.enabled") && !is_off("experimental_optimization.autotune");
  if (!tuned) return false;
  const std::optional<RuntimeVersion>& release = pipeline.runtime;
  if (!release || (release->major == 2 && release->minor < 0)) return std::nullopt;
  if (!release->AtLeast(2, known->earliest)) return false;
  if (!release->AtLeast(2, known->documented)) return std::nullopt;
  return true;
}

bool IsMadeParallel(const Pipeline& pipeline, const Stage& stage) {
  const MapFunction& function = stage.function;
  const bool plain = function.resolved && !function.random && !function.stateful;
  return stage.kind == StageKind::kMap && !stage.parallel_calls.present() && plain &&
         ActsByDefault(pipeline, "map_parallelization").value_or(false);
}

bool IsGivenPrefetch(const Pipeline& pipeline) {
  if (pipeline.stages.empty()) return false;
  const Stage& last = pipeline.stages.back();
  const bool is_ahead = last.kind == StageKind::kPrefetch || last.parallel_calls.present() ||
                        IsMadeParallel(pipeline, last);
  return !is_ahead && ActsByDefault(pipeline, "inject_prefetch").value_or(false);
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
