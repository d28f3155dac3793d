// Flags a prefetch that is followed by stages which do work.

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "advice/pipeline_change.h"
#include "edit/python.h"
#include "rules/input/feed.h"
#include "rules/input/map_work.h"

namespace tilewise::IP002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP002",
    .name = "prefetch-not-last",
    .fix = Applicability::kSafe,
    .summary = "stages after the last prefetch run while the device waits",
    .doc = R"(
What: batch, map, cache or shuffle come after the last prefetch. An unbatch does
not count: it hands out the items of a batch that is there already.
Why: a prefetch buffer hides only what stands before it. Placed before batch it
holds single items, and the device waits while batches are put together.
Remedy: move it to the end of the chain.
Numbers: the simulated loop with the prefetch moved. Behind a cache only the
first epoch waits; its share of all epochs of fit() is the cost then.
Ignore: a prefetch that separates two stages on purpose, when there is another
one at the end. Behind maps of a few operations the finding is info.
Sources: tf.data performance guide.)",
};

constexpr StageKinds kWork = {StageKind::kBatch,   StageKind::kPaddedBatch, StageKind::kMap,
                              StageKind::kCache,   StageKind::kShuffle,     StageKind::kFilter,
                              StageKind::kFlatMap, StageKind::kInterleave};

// A parallel stage makes its items ahead by itself.
bool RunsAhead(const Stage& stage) {
  const bool parallel = stage.kind == StageKind::kMap || stage.kind == StageKind::kInterleave;
  return parallel && stage.parallel_calls.present() && !stage.parallel_calls.is(1);
}

// Whether a stage takes next to no time while the device waits.
bool IsLittle(const Stage& stage) {
  if (stage.kind == StageKind::kMap)
    return OnlySetsShapes(stage.function) || DoesLittle(stage.function);
  return !IsOneOf(stage.kind, kWork);
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const auto prefetch = LastOf(*pipeline, {StageKind::kPrefetch});
    if (!prefetch || IsOfSource(*pipeline, *prefetch)) continue;
    const auto work = FirstOf(*pipeline, kWork, *prefetch + 1);
    if (!work || RunsAhead(pipeline->stages[*work])) continue;
    const Stage& stage = pipeline->stages[*prefetch];
    const Stage& last = pipeline->stages.back();
    Finding& found =
        sink.Report(stage.location,
                    "prefetch is followed by {}, expected it as the last stage: what stands after "
                    "it runs when the loop asks for a batch, not ahead of it",
                    StageName(pipeline->stages[*work].kind));
    const auto after = pipeline->stages.begin() + static_cast<std::ptrdiff_t>(*prefetch) + 1;
    if (std::all_of(after, pipeline->stages.end(), IsLittle)) found.severity = Severity::kInfo;
    AddLoopFix(facts, *pipeline, MovingStage(*pipeline, *prefetch, pipeline->stages.size()), found);
    found.fix.text = fmt::format("move prefetch to the end, after {}", StageName(last.kind));
    if (InOneBlock(facts, stage, last)) {
      found.fix.edits = MoveCallAfter(facts.workload, stage.call, last.call);
    }
  }
}

}  // namespace

TW_RULE(IP002)

}  // namespace tilewise::IP002
