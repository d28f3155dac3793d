// Flags options that turn the runtime's own optimizations off.

#include <set>
#include <string>

#include <fmt/format.h>

#include "rules/edits.h"
#include "rules/input/chain.h"

namespace tilewise {
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
to False.
Why: plain map().batch() and shuffle().repeat() are as fast as the old fused
forms only because of these rewrites, and AUTOTUNE stands still without
autotuning: every count that was left to it stays where it starts.
Remedy: take the setting out.
Ignore: a branch for debugging; the rule is silent where the condition around
the setting says so.
Sources: grappler tf.data meta optimizer, tf.data performance guide.)",
};

struct Switch {
  std::string_view name;
  std::string_view effect;
};
constexpr Switch kSwitches[] = {
    {"experimental_optimization.apply_default_optimizations",
     "no stage is fused or made parallel by itself"},
    {"experimental_optimization.map_and_batch_fusion",
     "map and batch run as two stages"},
    {"experimental_optimization.map_parallelization",
     "maps without num_parallel_calls stay sequential"},
    {"experimental_optimization.shuffle_and_repeat_fusion",
     "shuffle and repeat run as two stages"},
    {"experimental_optimization.inject_prefetch",
     "a pipeline without prefetch stays without"},
    {"experimental_optimization.autotune",
     "counts that are AUTOTUNE stay where they start"},
    {"autotune.enabled", "counts that are AUTOTUNE stay where they start"},
};

bool SaysDebug(const std::string& text) {
  return text.find("debug") != std::string::npos ||
         text.find("DEBUG") != std::string::npos;
}

// Whether the setting stands under a condition that is about debugging.
bool IsForDebugging(const Facts& facts, const Location& place) {
  const SourceFacts& source = facts.workload.facts;
  for (const SourceAssignment& assignment : source.assignments) {
    const Location& at = assignment.location;
    if (at.file != place.file || at.cell != place.cell ||
        at.line != place.line) {
      continue;
    }
    for (int32_t i = assignment.context; i >= 0;) {
      const SourceContext& context = source.contexts[static_cast<size_t>(i)];
      if (SaysDebug(context.text) || SaysDebug(context.name)) return true;
      i = context.parent;
    }
  }
  return false;
}

void Check(const Facts& facts, Sink& sink) {
  std::set<std::pair<Location, std::string>> seen;
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    for (const PipelineOption& option : pipeline->options) {
      for (const Switch& known : kSwitches) {
        if (known.name != option.name || option.value != "False") continue;
        if (!seen.emplace(option.location, option.name).second) continue;
        if (IsForDebugging(facts, option.location)) continue;
        Finding& found =
            sink.Report(option.location,
                        fmt::format("{} is False, expected the default: {}",
                                    option.name, known.effect));
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

}  // namespace tilewise
