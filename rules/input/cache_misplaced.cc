// Flags a cache that stands after batching, prefetching or an expanding map.

#include <fmt/format.h>

#include "advice/locations.h"
#include "advice/pipeline_change.h"
#include "rules/input/feed.h"

namespace tilewise::IP009 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP009",
    .name = "cache-misplaced",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .summary = "cache stands after batch, prefetch or an expanding map",
    .doc = R"(
What: cache() after batch, after prefetch, or after a map whose output is at
least twice as large as its input. A cache after batch is silent when a map
between the two works on whole batches (a vectorised map): its results are what
is cached. A map that is random or expands does not count.
Why: cached batches fix which examples meet in a batch for all epochs and
cannot be shuffled again; a prefetch before a cache fills a buffer nobody waits
for; a cache after an expanding map holds the expanded items.
Remedy: source, decode, cache, shuffle, batch, prefetch, in this order. What
moves below the cache runs in every epoch, so it needs the prefetch after it.
Ignore: data so small that either place is good: when what is cached takes less
than half of the host's RAM the finding is info. Decoding belongs above a cache
although it expands.
Sources: tf.data performance guide.)",
};

constexpr double kExpanding = 2.0;

bool Expands(const Stage& stage) {
  return stage.kind == StageKind::kMap && !stage.function.decodes &&
         stage.function.growth.value_or(1) >= kExpanding;
}

// Whether a map between `batch` and `cache` is worth caching. It works on whole
// batches, so a cache of its results has to hold batches.
bool CachesWorkOnBatches(const Pipeline& pipeline, size_t batch, size_t cache) {
  for (size_t i = batch + 1; i < cache; ++i) {
    const Stage& stage = pipeline.stages[i];
    if (stage.kind != StageKind::kMap || stage.function.random) continue;
    if (!Expands(stage)) return true;
  }
  return false;
}

// Whether stage `i` should come after the cache.
bool Misplaces(const Pipeline& pipeline, size_t i, size_t cache) {
  const Stage& stage = pipeline.stages[i];
  if (IsOfSource(pipeline, i)) return false;
  switch (stage.kind) {
    case StageKind::kBatch:
    case StageKind::kPaddedBatch:
      return !CachesWorkOnBatches(pipeline, i, cache);
    case StageKind::kPrefetch:
      return true;
    default:
      return Expands(stage);
  }
}

// The stages before `cache` that should come after it, as an index of the
// first one.
std::optional<size_t> FirstMisplacing(const Pipeline& pipeline, size_t cache) {
  for (size_t i = 0; i < cache; ++i) {
    if (Misplaces(pipeline, i, cache)) return i;
  }
  return std::nullopt;
}

std::string StagesBetween(const Pipeline& pipeline, size_t cache) {
  std::string text;
  for (size_t i = 0; i < cache; ++i) {
    const Stage& stage = pipeline.stages[i];
    if (!Misplaces(pipeline, i, cache)) continue;
    const std::string name = stage.kind == StageKind::kMap
                                 ? fmt::format("a map that makes items {:.1f} times larger",
                                               stage.function.growth.value_or(1))
                                 : std::string(StageName(stage.kind));
    text += fmt::format("{}{}", text.empty() ? "" : " and ", name);
  }
  return text;
}

// What the cache holds where it is, and where it should be.
std::string HeldText(const Facts& facts, const Pipeline& pipeline, size_t cache, size_t first) {
  const auto now = BytesOfItemsAfter(facts, pipeline, cache);
  const auto then = first > 0 ? BytesOfItemsAfter(facts, pipeline, first - 1) : now;
  if (!now) return "it holds what is made there";
  if (!then || *then >= *now) {
    return fmt::format("it holds {} of what is made there", FormatBytes(*now));
  }
  return fmt::format("it holds {} instead of {}", FormatBytes(*now), FormatBytes(*then));
}

bool FitsEitherWay(const Facts& facts, const Pipeline& pipeline, size_t cache) {
  const auto held = BytesOfItemsAfter(facts, pipeline, cache);
  return held && 2 * *held < facts.target.host.ram;
}

// The order of the remedy: what runs in every epoch now is done ahead of the
// step.
PipelineChange Mending(const Pipeline& pipeline, size_t cache, size_t first) {
  return [move = MovingStage(pipeline, cache, first)](Pipeline& edited) {
    move(edited);
    if (edited.stages.back().kind == StageKind::kPrefetch) return;
    EndingInPrefetch(edited)(edited);
  };
}

void Report(const Facts& facts, const Pipeline& pipeline, size_t cache, size_t first, Sink& sink) {
  const Stage& stage = pipeline.stages[cache];
  const Stage& target = pipeline.stages[first];
  Finding& found = sink.Report(
      stage.location, "cache comes after {}, expected before: {}, the same in all epochs{}",
      StagesBetween(pipeline, cache), HeldText(facts, pipeline, cache, first),
      PriceOfRerunning(facts, pipeline, cache, first));
  if (FitsEitherWay(facts, pipeline, cache)) found.severity = Severity::kInfo;
  MoveStageBefore(facts, pipeline, cache, first, found);
  ChangePipeline(facts, pipeline, Mending(pipeline, cache, first), found);
  found.fix.text = fmt::format("move cache before {} at {}, and end in prefetch",
                               StageName(target.kind), LineText(target.location, stage.location));
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const auto cache = LastOf(*pipeline, {StageKind::kCache});
    if (!cache) continue;
    const auto first = FirstMisplacing(*pipeline, *cache);
    if (first) Report(facts, *pipeline, *cache, *first, sink);
  }
}

}  // namespace

TW_RULE(IP009)

}  // namespace tilewise::IP009
