// Flags repeat before shuffle.

#include <fmt/format.h>

#include "advice/locations.h"
#include "advice/pipeline_change.h"
#include "rules/input/feed.h"

namespace tilewise::IP010 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP010",
    .name = "shuffle-after-repeat",
    .fix = Applicability::kUnsafe,
    .summary = "repeat stands before shuffle",
    .doc = R"(
What: repeat() comes before shuffle().
Why: the shuffle buffer then mixes the end of one epoch with the start of the
next, so some examples come twice before others come once. The runtime fuses
shuffle and repeat only in the right order.
Remedy: shuffle, then repeat. The order of examples changes.
Numbers: the steady step less that with the two stages in the other order. It is
often nothing: the cost is in the examples that are seen, not in seconds.
Ignore: when blurred epochs are wanted. Names of files that are repeated before
they are opened are no finding.
Sources: tf.data guide, grappler tf.data meta optimizer.)",
};

// How much of an epoch the buffer mixes with the next one.
std::string Mixed(const Pipeline& pipeline, const Stage& shuffle) {
  const bool known = shuffle.amount.kind == Count::Kind::kValue && shuffle.amount.value > 0 &&
                     pipeline.source_items.value_or(0) > 0;
  if (!known) return "its buffer mixes two epochs";
  if (shuffle.amount.value >= *pipeline.source_items) {
    return fmt::format("its buffer of {} items holds more than one epoch of {}",
                       FormatCount(shuffle.amount.value), FormatCount(*pipeline.source_items));
  }
  return fmt::format("its buffer mixes {} of the {} items of an epoch with the next",
                     FormatCount(shuffle.amount.value), FormatCount(*pipeline.source_items));
}

// Names of files are repeated, and what is read from them shuffled: the files
// follow each other without a gap between epochs.
bool OpensFilesBetween(const Pipeline& pipeline, size_t repeat, size_t shuffle) {
  const auto opens = FirstOf(pipeline, {StageKind::kInterleave, StageKind::kFlatMap}, repeat);
  return opens && *opens < shuffle && TakesFileNames(pipeline, repeat);
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const auto repeat = FirstOf(*pipeline, {StageKind::kRepeat});
    if (!repeat || pipeline->stages[*repeat].amount.is(1)) continue;
    const auto shuffle = FirstOf(*pipeline, {StageKind::kShuffle}, *repeat + 1);
    if (!shuffle || OpensFilesBetween(*pipeline, *repeat, *shuffle)) continue;
    const Stage& stage = pipeline->stages[*shuffle];
    const Stage& before = pipeline->stages[*repeat];
    Finding& found = sink.Report(stage.location,
                                 "shuffle comes after repeat, expected before it: {}, so some "
                                 "examples come twice before others come once",
                                 Mixed(*pipeline, stage));
    MoveStageBefore(facts, *pipeline, *shuffle, *repeat, found);
    // It changes what is seen when, and hardly the time.
    if (!found.cost.unknown.empty()) found.severity = Severity::kInfo;
    found.fix.text =
        fmt::format("move shuffle before repeat at {}", LineText(before.location, stage.location));
  }
}

}  // namespace

TW_RULE(IP010)

}  // namespace tilewise::IP010
