// Flags options that turn the runtime's own optimizations off.

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>

#include "edit/python.h"
#include "rules/input/feed.h"
#include "session/session.h"

namespace tilewise::IP019 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP019",
    .name = "rewrites-disabled",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .summary = "options turn the runtime's own rewrites or autotuning off",
    .doc = R"(
What: tf.data.Options with apply_default_optimizations, map_and_batch_fusion,
map_parallelization, shuffle_and_repeat_fusion, inject_prefetch or autotune set
to False. Or a step that waits for parallel maps which keep all cores of the host
busy, without max_intra_op_parallelism = 1 and a private thread pool.
Why: plain map().batch() and shuffle().repeat() are as fast as the old fused
forms only because of these rewrites, and AUTOTUNE stands still without
autotuning: every count that was left to it stays where it starts. Where the
cores are short, an op of a map that spreads over threads of its own takes them
from the other maps: one thread for an op gained about 10 %.
Remedy: take the setting out; with short cores options.threading of one thread
for an op and a pool of as many threads as cores.
Numbers: the simulated loop, with and without its input.
Ignore: a branch for debugging; the rule is silent where the condition around
the setting says so.
Sources: grappler tf.data meta optimizer, tf.data performance guide.)",
    .thresholds = {{"min-wait", 0.1, "share of a step that waits for the input"},
                   {"min-busy", 0.9, "share of the host's cores that parallel maps keep busy"}},
};

struct Switch {
  std::string_view name;
  std::string_view effect;
};
constexpr Switch kSwitches[] = {
    {"experimental_optimization.apply_default_optimizations",
     "no stage is fused or made parallel by itself"},
    {"experimental_optimization.map_and_batch_fusion", "map and batch run as two stages"},
    {"experimental_optimization.map_parallelization",
     "maps without num_parallel_calls stay sequential"},
    {"experimental_optimization.shuffle_and_repeat_fusion", "shuffle and repeat run as two stages"},
    {"experimental_optimization.inject_prefetch", "a pipeline without prefetch stays without"},
    {"experimental_optimization.autotune", "counts that are AUTOTUNE stay where they start"},
    {"autotune.enabled", "counts that are AUTOTUNE stay where they start"},
};

bool SaysDebug(const std::string& text) {
  return text.find("debug") != std::string::npos || text.find("DEBUG") != std::string::npos;
}

// Whether the setting stands under a condition that is about debugging.
bool IsForDebugging(const Facts& facts, const Location& location) {
  const SourceFacts& source = facts.workload.facts;
  for (const SourceAssignment& assignment : source.assignments) {
    const Location& at = assignment.location;
    if (at.file != location.file || at.cell != location.cell || at.line != location.line) {
      continue;
    }
    for (int32_t i = assignment.context; i >= 0;) {
      const SourceContext& context = source.contexts[i];
      if (SaysDebug(context.text) || SaysDebug(context.name)) return true;
      i = context.parent;
    }
  }
  return false;
}

bool SetsThreads(const Pipeline& pipeline) {
  return std::ranges::any_of(pipeline.options, [](const PipelineOption& option) {
    return option.name.find("max_intra_op_parallelism") != std::string::npos ||
           option.name.find("private_threadpool_size") != std::string::npos;
  });
}

// Cores that the parallel maps keep busy at the step's pace, and the last map.
double BusyCores(const Facts& facts, const Pipeline& pipeline, const Stage*& map) {
  Seconds work;
  for (const StageTime& stage : facts.loop->stages) {
    const size_t at = stage.stage;
    if (at >= pipeline.stages.size() || stage.parallelism <= 1) continue;
    if (pipeline.stages[at].kind != StageKind::kMap) continue;
    work += stage.work;
    map = &pipeline.stages[at];
  }
  return facts.loop->step > Seconds{} ? work / facts.loop->step : 0;
}

void CheckThreads(const Facts& facts, Sink& sink) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline == nullptr || !pipeline->loader.empty() || SetsThreads(*pipeline)) return;
  if (!WhyNoLoop(facts, *pipeline).empty()) return;
  const Stage* map = nullptr;
  const double busy = BusyCores(facts, *pipeline, map);
  const double cores = facts.target.host.busy_cores();
  // What a library builds from a configuration takes no options.
  if (map == nullptr || map->arguments.begin == map->arguments.end) return;
  if (busy < cores * sink.threshold("min-busy")) return;
  const Seconds waits = facts.loop->step - StepWithoutInput(facts, *pipeline);
  if (waits < facts.loop->step * sink.threshold("min-wait")) return;
  Finding& found =
      sink.Report(map->location,
                  "parallel maps keep {} of {} cores busy while the step waits {} of {} for them "
                  "(simulated on {}, {} host), expected one thread for each of their ops",
                  FormatCount(std::llround(std::min(busy, cores))),
                  FormatCount(std::llround(cores)), FormatSeconds(waits),
                  FormatSeconds(facts.loop->step), facts.target.chip.name, facts.target.host.name);
  found.cost.unknown = "threads inside of ops are not simulated";
  found.fix.text = fmt::format(
      "set options.threading.max_intra_op_parallelism = 1 and "
      "options.threading.private_threadpool_size = {}, and pass them to with_options()",
      facts.target.host.vcpus);
}

void Check(const Facts& facts, Sink& sink) {
  CheckThreads(facts, sink);
  std::set<std::pair<Location, std::string>> seen;
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    for (const PipelineOption& option : pipeline->options) {
      for (const Switch& known : kSwitches) {
        if (known.name != option.name || option.value != "False") continue;
        if (!seen.emplace(option.location, option.name).second) continue;
        if (IsForDebugging(facts, option.location)) continue;
        Finding& found = sink.Report(option.location, "{} is False, expected the default: {}",
                                     option.name, known.effect);
        found.cost.unknown = "the runtime's rewrites are not simulated";
        found.fix.text = fmt::format("take the setting of {} out", option.name);
        if (option.target.begin < option.target.end) {
          found.fix.edits = RemoveStatement(facts.workload, option.target);
        }
      }
    }
  }
}

}  // namespace

TW_RULE(IP019)

}  // namespace tilewise::IP019
