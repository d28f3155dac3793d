// Flags decoding that is repeated every epoch although a cache of it has room.

#include <fmt/format.h>

#include "advice/worth_saying.h"
#include "edit/python.h"
#include "rules/input/cache_place.h"

namespace tilewise::IP007 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP007",
    .name = "missing-cache",
    .severity = Severity::kInfo,
    .fix = Applicability::kShow,
    .summary = "decoding is repeated every epoch, and a cache of it has room on the host",
    .doc = R"(
What: records or images are decoded in every epoch, and a cache has room on the
host: in half of its RAM, or on its own disk.
Why: cache() keeps the items after the first epoch, so later epochs read them
instead of decoding.
Remedy: .cache() before shuffle and before random augmentation, where the
simulated step is shortest of all places at which what the cache holds has room:
after the decode, above a map that makes items larger, or of the undecoded
records; .cache("file") on the host's disk where that is faster than to decode.
Ignore: one epoch; data whose decoded size is larger than estimated. The rule
is silent when the number of items or their size is not known, and where no
cache that has room makes the step shorter.
Numbers: items of the source times bytes of an item at each place, from its
dtype and shape, or from the model's inputs; RAM and disk of the host file.
Sources: tf.data performance guide, Plumber.)",
};

// The last decoding map before anything random, batched or repeated.
std::optional<size_t> LastDecode(const Pipeline& pipeline) {
  std::optional<size_t> point;
  for (size_t i = 0; i < pipeline.stages.size(); ++i) {
    const Stage& stage = pipeline.stages[i];
    if (IsOneOf(stage.kind, {StageKind::kShuffle, StageKind::kBatch, StageKind::kPaddedBatch,
                             StageKind::kRepeat}) ||
        stage.function.random) {
      break;
    }
    if (stage.kind == StageKind::kMap && stage.function.decodes) point = i;
  }
  return point;
}

// Where what the cache holds has room, and why it does not stand after the decode.
std::string WhatFits(const Facts& facts, const Pipeline& pipeline, const CachePlace& place,
                     size_t decode) {
  const Host& host = facts.target.host;
  std::string text = fmt::format("(estimate) fit {}", RoomText(host, place.on_disk));
  const auto decoded = BytesOfItemsAfter(facts, pipeline, decode);
  if (decoded && *decoded >= RamForCaches(host)) {
    const std::string what = *decoded == place.bytes
                                 ? "that is"
                                 : fmt::format("decoded they take {},", FormatBytes(*decoded));
    text += fmt::format("; {} above half of its {} of RAM", what, FormatBytes(host.ram));
  }
  return text;
}

Finding& Report(const Facts& facts, const Pipeline& pipeline, const CachePlace& place,
                size_t decode, Sink& sink) {
  const Stage& stage = pipeline.stages[decode];
  const Stage& above = pipeline.stages[place.at - 1];
  const std::string what = WhatFits(facts, pipeline, place, decode);
  const bool of_decoded = place.at > decode;
  Finding& found =
      of_decoded
          ? sink.Report(stage.location,
                        "{} decodes every item again each epoch, expected a cache after {}: "
                        "{} decoded {}",
                        NameOfStage(stage), place.at == decode + 1 ? "it" : NameOfStage(above),
                        FormatBytes(place.bytes), what)
          : sink.Report(stage.location,
                        "every item is read from storage again each epoch, expected a cache "
                        "after {}, before {}: {} {}",
                        NameOfStage(above), NameOfStage(stage), FormatBytes(place.bytes), what);
  AddLoopFix(facts, pipeline, InsertingStage(pipeline, place.at, CacheStage(place.on_disk)), found);
  const std::string call = CacheCall(place.on_disk);
  found.fix.text = fmt::format("add {} after {}", call, NameOfStage(above));
  if (above.call.begin < above.call.end) {
    found.fix.edits = AppendCall(facts.workload, above.call, call);
  } else if (place.at < pipeline.stages.size()) {
    // A source is no chained call: the cache comes before the first one of the chain.
    found.fix.edits = PrependCall(facts.workload, pipeline.stages[place.at].call, call);
  }
  return found;
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    if (FirstOf(*pipeline, {StageKind::kCache})) continue;
    if (!RunsManyEpochs(facts, *pipeline)) continue;
    const auto decode = LastDecode(*pipeline);
    if (!decode) continue;
    if (const auto place = BestCachePlace(facts, *pipeline)) {
      Report(facts, *pipeline, *place, *decode, sink);
    } else if (const auto roomy = LastPlaceWithRoom(facts, *pipeline)) {
      Report(facts, *pipeline, *roomy, *decode, sink).too_small = WhatHidesInput(facts);
    }
  }
}

}  // namespace

TW_RULE(IP007)

}  // namespace tilewise::IP007
