// Passes on what a log says of programs started and values read in each step.

#include <algorithm>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::HL013 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL013",
    .name = "reported-host-traffic",
    .fix = Applicability::kShow,
    .summary = "a log tells that each step reads values or runs ops on the host",
    .no_saving = "how long a step takes without it is not in the log",
    .doc = R"(
What: torch_xla's metrics or its analysis (PT_XLA_DEBUG) with more than one
program started in a step, more than one value brought to the host in two steps,
ops that have no lowering and run on the host, or a value that is accessed before
the step ends.
Why: each read cuts the step into two programs: the device waits for the host, and
the host for the device, where it would have prepared the next step.
Remedy: no item(), print or if on tensors in the step; logging every N steps
through xm.add_step_closure; masks instead of nonzero(); ops that are lowered.
Ignore: evaluation, and the steps that log.
Numbers: counts of the log, between its first and last report where there are
several.
Sources: pytorch/xla troubleshoot.md (0.5 transfers per step), pytorch/xla#6614,
pytorch-lightning#7368.)",
};

// " in 12 steps"; empty where steps are not counted.
std::string InSteps(int64_t steps) {
  if (steps <= 0) return "";
  return fmt::format(" in {} step{}", FormatCount(steps), steps == 1 ? "" : "s");
}

std::string What(const HostTraffic& traffic) {
  std::vector<std::string> parts;
  if (traffic.executions > traffic.steps) {
    parts.push_back(fmt::format(
        "{} programs were started{}{}", FormatCount(traffic.executions), InSteps(traffic.steps),
        traffic.execution_time > Seconds{}
            ? fmt::format(", which ran {} in all", FormatSeconds(traffic.execution_time))
            : ""));
  }
  if (traffic.reads > 0) {
    parts.push_back(
        fmt::format("the host read {} value{}{}{}{}", FormatCount(traffic.reads),
                    traffic.reads == 1 ? "" : "s", InSteps(traffic.steps),
                    traffic.bytes.value > 0 ? fmt::format(", {}", FormatBytes(traffic.bytes)) : "",
                    traffic.where.empty() ? "" : fmt::format(", in {}", traffic.where)));
  }
  if (!traffic.fallbacks.empty()) {
    parts.push_back(fmt::format("{} ran on the host", fmt::join(traffic.fallbacks, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

void Check(const Facts& facts, Sink& sink) {
  for (const HostTraffic& traffic : facts.workload.run_log.traffic) {
    const std::string what = What(traffic);
    if (what.empty()) continue;
    Finding& found = sink.Report(traffic.location,
                                 "{}; expected one program a step and no value read in it", what);
    found.measured = true;
    if (traffic.execution_time > Seconds{} && traffic.steps > 0) {
      found.cost.time_per_step = traffic.execution_time / static_cast<double>(traffic.steps);
      found.cost.of_wall_step = true;
    } else {
      found.cost.unknown = "the log does not say how long the device waits";
    }
    found.fix.text =
        traffic.fallbacks.empty()
            ? "take item(), print(), conditions on tensors and logging out of the step, or do them "
              "every N steps (xm.add_step_closure)"
            : "replace the ops that run on the host by ones that are lowered, or move them out of "
              "the step; take item(), print() and conditions on tensors out of it as well";
    const bool depends = std::ranges::any_of(traffic.fallbacks, [](const std::string& op) {
      return op.find("nonzero") != std::string::npos || op.find("unique") != std::string::npos;
    });
    if (depends) {
      found.fix.text +=
          "; the size of nonzero()'s and unique()'s results depends on values: use masks or "
          "torch.where";
    }
  }
}

}  // namespace

TW_RULE(HL013)

}  // namespace tilewise::HL013
