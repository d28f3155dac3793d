// Flags a cache that freezes what should be random in every epoch.

#include <fmt/format.h>

#include "advice/locations.h"
#include "advice/pipeline_change.h"
#include "rules/input/feed.h"

namespace tilewise::IP008 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP008",
    .name = "cache-after-random",
    .fix = Applicability::kUnsafe,
    .summary = "cache keeps one random order or augmentation for all epochs",
    .doc = R"(
What: cache() comes after a shuffle or after a map with random operations.
Why: the first epoch fills the cache; all later epochs replay its order and its
augmentations, so the randomness is lost silently.
Remedy: move cache above the random stage. Later epochs then differ, and the
random work is done each epoch.
Numbers: what the random stages then cost in every epoch, simulated.
Ignore: a fixed seed whose one outcome is wanted (reshuffle_each_iteration is
False for shuffle). Nothing is said of a shuffle where another follows the cache.
Sources: tf.data performance guide, Plumber.)",
};

bool IsRandom(const Stage& stage) {
  if (stage.kind == StageKind::kShuffle) return stage.reshuffles;
  return stage.kind == StageKind::kMap && stage.function.random;
}

std::optional<size_t> FirstRandom(const Pipeline& pipeline, size_t before) {
  for (size_t i = 0; i < before; ++i) {
    if (IsRandom(pipeline.stages[i]) && !IsOfSource(pipeline, i)) return i;
  }
  return std::nullopt;
}

// Whether the shuffle chooses which items the cache holds: before it, the cache would hold all.
bool IsOfChosen(const Pipeline& pipeline, size_t shuffle, size_t cache) {
  const auto chosen = FirstOf(pipeline, {StageKind::kTake, StageKind::kSkip}, shuffle);
  return chosen && *chosen < cache;
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const auto cache = LastOf(*pipeline, {StageKind::kCache});
    if (!cache) continue;
    const auto random = FirstRandom(*pipeline, *cache);
    if (!random) continue;
    const Stage& stage = pipeline->stages[*cache];
    const Stage& frozen = pipeline->stages[*random];
    const bool shuffles = frozen.kind == StageKind::kShuffle;
    if (shuffles && IsOfChosen(*pipeline, *random, *cache)) continue;
    // Another shuffle gives each epoch its own order again.
    const auto again = FirstOf(*pipeline, {StageKind::kShuffle}, *cache + 1);
    if (shuffles && again && pipeline->stages[*again].reshuffles) continue;
    Finding& found = sink.Report(
        stage.location,
        "cache comes after {}, expected before it: every epoch replays the first one's {}{}",
        shuffles ? "shuffle" : "a random map", shuffles ? "order" : "augmentation",
        PriceOfRerunning(facts, *pipeline, *cache, *random));
    MoveStageBefore(facts, *pipeline, *cache, *random, found);
    found.of_learning = true;
    found.fix.text = fmt::format("move cache before {} at {}", StageName(frozen.kind),
                                 LineText(frozen.location, stage.location));
  }
}

}  // namespace

TW_RULE(IP008)

}  // namespace tilewise::IP008
