// Flags a cache in memory that holds more than the host has.

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/input/cache_place.h"

namespace tilewise::IP027 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP027",
    .name = "cache-exceeds-ram",
    .fix = Applicability::kShow,
    .summary = "cache in memory holds more than the host's RAM",
    .doc = R"(
What: cache() without a file, and the items that it holds at the end of the
first epoch take more than a share of the host's RAM.
Why: the program is killed for lack of memory before the first epoch ends, often
after hours.
Remedy: the place of all those that have room where the simulated step is
shortest: above the maps that make items larger, or in a file on the host's own
disk; else no cache.
Ignore: items smaller than estimated, or a machine with more RAM: give a host
file with --host.
Numbers: items of the source times bytes of an item at the cache; RAM and disk
of the host file.
Sources: tf.data performance guide; tf.data.Dataset.cache.)",
    .thresholds = {{"share", 0.8, "share of the host's RAM that a cache may take"}},
};

// What to do with the cache.
struct Remedy {
  PipelineChange change;
  std::string text;
  std::vector<TextEdit> edits;
};

Remedy Removal(const Pipeline& pipeline, size_t cache) {
  Remedy remedy;
  remedy.change = RemovingStage(pipeline, cache);
  remedy.text = "take cache() out: no place for it has room and makes the step shorter";
  const Span& call = pipeline.stages[cache].call;
  if (call.begin < call.end) remedy.edits = {{.span = call, .replacement = ""}};
  return remedy;
}

Remedy Move(const Facts& facts, const Pipeline& pipeline, size_t cache, const CachePlace& place) {
  Remedy remedy;
  const Stage& stage = pipeline.stages[cache];
  // Places are counted without the cache, which stands behind all of them.
  const bool moves = place.at < cache;
  remedy.change =
      [remove = RemovingStage(pipeline, cache),
       insert = InsertingStage(pipeline, place.at, CacheStage(place.on_disk))](Pipeline& edited) {
        insert(edited);
        remove(edited);
      };
  const std::string above = NameOfStage(pipeline.stages[place.at - 1]);
  const std::string call = CacheCall(place.on_disk);
  remedy.text = moves ? fmt::format("put {} after {}", call, above)
                      : fmt::format("write {}: on the host's disk", call);
  if (stage.call.begin >= stage.call.end) return remedy;
  if (!moves) {
    remedy.edits = {{.span = stage.call, .replacement = call}};
    return remedy;
  }
  remedy.edits = MoveCallBefore(facts.workload, stage.call, pipeline.stages[place.at].call);
  if (!place.on_disk || remedy.edits.empty()) return remedy;
  // The call that comes to stand there has a file.
  std::string& moved = remedy.edits.back().replacement;
  const std::string written(TextOf(facts.workload, stage.call));
  const size_t at = moved.find(written);
  if (at == moved.npos) return remedy;
  moved.replace(at, written.size(), call);
  return remedy;
}

std::string StepText(const Facts& facts, const Pipeline& pipeline, const PipelineChange& change) {
  if (!WhyNoLoop(facts, pipeline).empty()) return "";
  return fmt::format("; a step then takes {} (simulated on {}, {} host)",
                     FormatSeconds(MeanStepFedBy(facts, With(pipeline, change))),
                     facts.target.chip.name, facts.target.host.name);
}

void Report(const Facts& facts, const Pipeline& pipeline, size_t cache, Bytes bytes, Sink& sink) {
  const Host& host = facts.target.host;
  const Stage& stage = pipeline.stages[cache];
  const auto place = BestCachePlace(facts, pipeline);
  const Remedy remedy = place ? Move(facts, pipeline, cache, *place) : Removal(pipeline, cache);
  const std::string held =
      place ? fmt::format(", where it holds {}", FormatBytes(place->bytes)) : "";
  Finding& found = sink.Report(
      stage.location,
      "cache keeps {} (estimate) in memory, expected at most {} of the {} host's {} of RAM: the "
      "first epoch ends for lack of memory",
      FormatBytes(bytes), FormatPercent(sink.threshold("share")), host.name, FormatBytes(host.ram));
  found.cost.unknown = "the program does not get through its first epoch";
  found.fix.text = remedy.text + held + StepText(facts, pipeline, remedy.change);
  found.fix.edits = remedy.edits;
}

void Check(const Facts& facts, Sink& sink) {
  const auto ram = static_cast<double>(facts.target.host.ram.value);
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    for (size_t i = 0; i < pipeline->stages.size(); ++i) {
      const Stage& stage = pipeline->stages[i];
      if (stage.kind != StageKind::kCache || stage.cache_to_file) continue;
      const auto bytes = BytesOfItemsAfter(facts, *pipeline, i);
      if (!bytes || static_cast<double>(bytes->value) <= ram * sink.threshold("share")) continue;
      Report(facts, *pipeline, i, *bytes, sink);
      break;
    }
  }
}

}  // namespace

TW_RULE(IP027)

}  // namespace tilewise::IP027
