// Flags steps that are predicted to wait for the input pipeline.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advice/saving.h"
#include "rules/input/feed.h"
#include "session/session.h"
#include "sim/map_cost.h"
#include "sim/stage_cost.h"

namespace tilewise::IP022 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP022",
    .name = "input-bound-forecast",
    .summary = "the step is predicted to wait for the input pipeline",
    .no_saving = "what the slowest stage does is not known well enough to leave it out",
    .doc = R"(
What: the host needs longer to prepare a batch than the device to work on one:
at least 5 % of the step is waiting (info), or 20 % (warning).
Why: the device stands still while it waits, whatever the model does. Profilers
call this input bound, and use the same two limits.
Remedy: the slowest stage first: run it in parallel, move work behind the batch,
cache what is the same in every epoch, or take a host with more cores.
Numbers: the simulated loop less the same loop with an input that costs nothing.
Costs of stages are measured ones of ops on a core of the host, and of its store;
see `list hosts --verbose`. Ops of unknown cost are named beside their stage.
What a prefetch as the last stage mends alone is IP001's finding.
Ignore: pipelines whose functions could not be read are costed as three
operations; a forecast of them is rough.
Sources: xprof's limits of 5 % and 20 %.)",
    .thresholds = {{"info-share", 0.05, "share of the step that waits for the input"},
                   {"warn-share", 0.2, "share from which it is a warning"}},
};

struct Slowest {
  size_t stage = 0;
  Seconds per_batch;          // as parallel as it is written
  Seconds work;               // of all stages together, of one core
  Seconds on_threads;         // the same with what they wait, of one thread
  bool mostly_waits = false;  // the slowest one's threads, without a core
  bool is_shared = false;     // the store or the memory is what it waits for
  bool hands_over = false;    // single items, to the thread of the next stage
};

// The stage whose items take longest to reach the thread of the next one, where that is longer than
// any stage works.
void LookAtHandOvers(const Facts& facts, const Pipeline& pipeline, Slowest& slowest) {
  const int64_t of_host = facts.global_batch / std::max<int64_t>(1, FeedingHosts(facts));
  const std::vector<StageCost> costs =
      CostStages(pipeline, of_host, BytesOfItem(facts, pipeline), facts.target.host);
  for (size_t i = 0; i < costs.size(); ++i) {
    if (pipeline.stages[i].kind != StageKind::kMap || costs[i].hand_over <= slowest.per_batch)
      continue;
    slowest.stage = i;
    slowest.per_batch = costs[i].hand_over;
    slowest.hands_over = true;
    slowest.mostly_waits = slowest.is_shared = false;
  }
}

Slowest FindSlowest(const Facts& facts, const Pipeline& pipeline) {
  const LoopTimeline& loop = *facts.loop;
  Slowest slowest;
  for (const StageTime& stage : loop.stages) {
    const Seconds own = std::max(stage.per_batch / std::max(1.0, stage.parallelism), stage.shared);
    slowest.work += stage.work;
    slowest.on_threads += stage.per_batch;
    if (own <= slowest.per_batch) continue;
    slowest.stage = stage.stage;
    slowest.per_batch = own;
    slowest.is_shared = stage.shared >= own;
    slowest.mostly_waits = stage.per_batch > stage.work * 2;
  }
  if (pipeline.loader.empty()) LookAtHandOvers(facts, pipeline, slowest);
  return slowest;
}

bool RunsInParallel(const Stage& stage) {
  return IsOneOf(stage.kind, {StageKind::kMap, StageKind::kInterleave, StageKind::kBatch,
                              StageKind::kRecordFiles});
}

// The host's cores share the work of `stage` where it can be shared, ahead of
// the step.
PipelineChange InParallel(const Pipeline& pipeline, size_t stage) {
  const bool can = RunsInParallel(pipeline.stages[stage]);
  const bool ahead = pipeline.stages.back().kind == StageKind::kPrefetch;
  return [can, ahead, parallel = RunningInParallel(pipeline, stage),
          prefetch = EndingInPrefetch(pipeline)](Pipeline& edited) {
    if (can) parallel(edited);
    if (!ahead) prefetch(edited);
  };
}

int64_t TimesIn(Seconds time, Seconds step) {
  constexpr double kMost = 1e9;
  return step > Seconds{} ? static_cast<int64_t>(std::min(std::ceil(time / step), kMost)) : 1;
}

// What the host lacks: cores, or threads that wait for files at once.
std::string NeedText(const Slowest& slowest, Seconds without, const Host& host) {
  const std::string cores = FormatCount(TimesIn(slowest.work, without));
  if (!slowest.mostly_waits || slowest.is_shared) {
    return fmt::format("{} cores, and the host has {}", cores, FormatCount(host.vcpus));
  }
  return fmt::format(
      "{} cores and {} threads, most of which wait for storage; the host has {} of "
      "both",
      cores, FormatCount(TimesIn(slowest.on_threads, without)), FormatCount(host.vcpus));
}

// This names the calls that take most of a map's work, as
// " (of its work 41 % tensorflow.image.random_hue)".
std::string DearestCalls(const Facts& facts, const Pipeline& pipeline, size_t stage) {
  constexpr double kWorthAWord = 0.1;
  constexpr size_t kMost = 3;
  const Stage& at = pipeline.stages[stage];
  if (!pipeline.loader.empty() || at.kind != StageKind::kMap || at.measured.per_example) return "";
  const MapCalls map =
      CostCallsOf(pipeline, stage, BytesOfItem(facts, pipeline), facts.target.host);
  std::map<std::string, Seconds> sums;
  for (const MapCalls::Call& call : map.calls) sums[call.name] += call.work;
  std::vector<std::pair<Seconds, std::string>> dearest;
  dearest.reserve(sums.size());
  for (const auto& [call, per_element] : sums) dearest.emplace_back(per_element, call);
  std::ranges::stable_sort(dearest, std::greater<>(), &std::pair<Seconds, std::string>::first);
  std::vector<std::string> words;
  for (const auto& [per_element, call] : dearest) {
    const double share = per_element / map.work;
    if (share < kWorthAWord || words.size() == kMost) break;
    words.push_back(fmt::format("{} {}", FormatPercent(share), call));
  }
  return words.empty() ? "" : fmt::format(" (of its work {})", fmt::join(words, ", "));
}

// Why a cache cannot hold the items as they reach the device; empty where one can, or where nobody
// knows how many there are.
std::string WhyNotKept(const Facts& facts, const Pipeline& pipeline) {
  constexpr double kShareOfRam = 0.5;
  const int64_t hosts = FeedingHosts(facts);
  const int64_t taken = facts.loop->steps_per_epoch * facts.global_batch / hosts;
  const int64_t items = pipeline.items_of_host(hosts).value_or(taken);
  const double bytes =
      static_cast<double>(items) * static_cast<double>(BytesOfItem(facts, pipeline).value);
  const Bytes ram = facts.target.host.ram;
  if (bytes <= kShareOfRam * static_cast<double>(ram.value) || bytes > 9e18) return "";
  return fmt::format(", but not as the device takes it: {} items are {}, and the host has {}",
                     FormatCount(items), FormatBytes(Bytes{static_cast<int64_t>(bytes)}),
                     FormatBytes(ram));
}

void Report(const Facts& facts, const Pipeline& pipeline, Seconds without, Sink& sink) {
  const LoopTimeline& loop = *facts.loop;
  const Seconds waits = loop.step - without;
  const double share = waits / loop.step;
  const Slowest slowest = FindSlowest(facts, pipeline);
  const Stage& stage = pipeline.stages[std::min(slowest.stage, pipeline.stages.size() - 1)];
  // Data of which nothing was read take as long as nobody knows.
  if (stage.kind == StageKind::kUnknownSource) return;
  // How long a store takes for records of which nobody says how large they are is not known.
  const bool reads = IsOneOf(stage.kind, {StageKind::kInterleave, StageKind::kFlatMap,
                                          StageKind::kRecordFiles, StageKind::kNamedDataset});
  const bool sized =
      pipeline.source_item_bytes.has_value() ||
      std::ranges::any_of(pipeline.stages, [](const Stage& each) { return each.function.decodes; });
  if (slowest.is_shared && reads && !sized) return;
  Finding& found = sink.Report(
      stage.location,
      "the step waits {} of {} for its input (simulated on {}, {} host), expected under {}: {} is "
      "the slowest stage with {} a batch{}{}; at the pace of the device all stages together need "
      "{}",
      FormatSeconds(waits), FormatSeconds(loop.step), facts.target.chip.name,
      facts.target.host.name, FormatPercent(sink.threshold("info-share")), NameOfStage(stage),
      FormatSeconds(slowest.per_batch), DearestCalls(facts, pipeline, slowest.stage),
      slowest.is_shared    ? ", whatever its parallelism: it waits for the store or the memory"
      : slowest.hands_over ? ", for handing over each item by itself"
                           : "",
      NeedText(slowest, without, facts.target.host));
  if (share < sink.threshold("warn-share")) found.severity = Severity::kInfo;
  found.cost = WallCost(waits, loop.step);
  const double least = sink.threshold("info-share");
  if (share < least) {
    found.too_small = kLittleOfStep;
    return;
  }
  if (!pipeline.loader.empty()) {
    const Stage* batch = pipeline.batch();
    const bool hands_over = batch != nullptr && &stage > batch;
    found.fix.text =
        hands_over ? std::string(
                         "hand over smaller examples, such as bytes that the device makes floats "
                         "of: more workers do not help the process that takes them")
                   : fmt::format(
                         "give {} more workers where the host has cores for them, and take work "
                         "out of each example",
                         pipeline.loader);
    return;
  }
  if (slowest.hands_over) {
    found.no_saving = "what the function takes for a whole batch is not known";
    found.fix.text = fmt::format(
        "put batch() before {}, whose function then takes a batch and hands over one, or give it "
        "fewer and larger items",
        NameOfStage(stage));
    return;
  }
  Change change;
  change.pipeline = InParallel(pipeline, slowest.stage);
  SetIfItSaves(facts, std::move(change), found);
  const bool helps = !found.change.empty();
  // The other advice is given where this does not help.
  if (!helps) found.no_saving.clear();
  const Seconds need = slowest.mostly_waits ? slowest.on_threads : slowest.work;
  const bool enough = TimesIn(need, without) <= facts.target.host.vcpus;
  const std::string name = NameOfStage(stage);
  if (helps && RunsInParallel(stage)) {
    found.fix.text = fmt::format(
        "run {} in parallel, and end in prefetch, so that the host's cores share the work", name);
  } else if (helps) {
    found.fix.text = "end in prefetch, so that the input is made ready while the device works";
  }
  if (helps && enough) return;
  // A stage without a function of the program's has no work to take out.
  const bool has_function = IsOneOf(stage.kind, {StageKind::kMap, StageKind::kInterleave,
                                                 StageKind::kFlatMap, StageKind::kFilter});
  const bool keeps = slowest.is_shared && reads && RunsManyEpochs(facts, pipeline) &&
                     !FirstOf(pipeline, {StageKind::kCache});
  if (keeps) {
    found.fix.text += fmt::format(
        "{}keep what is read for the epochs that follow: cache() after {}, in the host's RAM or, "
        "with a name, on its disk",
        helps ? "; and " : "", name);
    return;
  }
  if (!helps && !has_function) found.severity = Severity::kInfo;
  if (helps) found.fix.text += "; and ";
  found.fix.text +=
      slowest.mostly_waits
          ? fmt::format(
                "let {} wait less: keep many examples in a file (TFRecord), cache what "
                "every epoch repeats, or keep the files on a disk of the host",
                name)
          : fmt::format(
                "take work out of {}: prepare it once, use more cores, or cache what every epoch "
                "repeats{}",
                name, WhyNotKept(facts, pipeline));
}

void Check(const Facts& facts, Sink& sink) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline == nullptr || pipeline->stages.size() < 2) return;
  if (!WhyNoLoop(facts, *pipeline).empty()) return;
  const Seconds step = facts.loop->step;
  const Seconds without = StepWithoutInput(facts, *pipeline);
  if (step - without < step * kLeastNamed) return;
  // What a prefetch alone mends is IP001's matter.
  const Pipeline ahead = With(*pipeline, EndingInPrefetch(*pipeline));
  if (pipeline->stages.back().kind != StageKind::kPrefetch &&
      facts.session.LoopFedBy(ahead).step <= without) {
    return;
  }
  Report(facts, *pipeline, without, sink);
}

}  // namespace

TW_RULE(IP022)

}  // namespace tilewise::IP022
