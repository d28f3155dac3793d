// Flags steps that wait for the interconnect.

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/rule.h"
#include "session/session.h"

namespace tilewise::DI003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI003",
    .name = "collective-bound",
    .set = RuleSet::kPreview,
    .needs = {.model = true},
    .summary = "the step waits for the interconnect",
    .no_saving = "a batch twice as large does not fit, or the batch is not free",
    .doc = R"(
What: time that the step waits for collectives, not hidden behind kernels: at
least min-share of it (info), warn-share (warning).
Why: gradients and gathered weights are as large whatever the batch per core is,
so small batches spend their time on the links.
Remedy: a larger batch per core; collectives that overlap with kernels; another
mesh axis for what moves most.
Ignore: one device.
Numbers: exposed collective time of the simulated step.
Sources: xprof (30 %, older 6 %).)",
    .thresholds = {{"min-share", 0.06, "share of the step that waits for collectives: info"},
                   {"warn-share", 0.3, "the same: warning"},
                   {"min-us", 100, "microseconds of waiting below which nothing is said"}},
};

// Twice the batch per core where it fits and can be; 0 otherwise.
int64_t LargerBatch(const Facts& facts) {
  if (facts.batch_assumed || facts.workload.graph->is_static()) return 0;
  const int64_t twice = 2 * facts.batch_per_core;
  const absl::StatusOr<StepTotals> step = facts.session.StepAt(twice);
  return step.ok() && step->fits() ? twice : 0;
}

void Check(const Facts& facts, Sink& sink) {
  const Timeline& timeline = facts.model->timeline;
  if (timeline.step.value <= 0) return;
  const double share = timeline.exposed_collective / timeline.step;
  if (share < sink.threshold("min-share") ||
      timeline.exposed_collective.value * 1e6 < sink.threshold("min-us")) {
    return;
  }
  const bool warns = share >= sink.threshold("warn-share");
  Finding& found = sink.Report(
      LocationOfBatch(facts),
      "the step waits {} for collectives, {} of it (simulated on {}), expected under {}",
      FormatSeconds(timeline.exposed_collective), FormatPercent(share), facts.target.description(),
      FormatPercent(sink.threshold(warns ? "warn-share" : "min-share")));
  if (!warns) found.severity = Severity::kInfo;
  found.cost = DeviceCost(facts, timeline.exposed_collective);
  const int64_t batch = LargerBatch(facts);
  if (batch > 0) {
    found.change.batch_per_core = batch;
    found.fix.text = fmt::format(
        "raise the batch per core, to {} for a start; or let the collectives overlap with kernels, "
        "or move them to another mesh axis",
        FormatCount(batch));
  } else {
    found.fix.text =
        "let the collectives overlap with kernels, or put what moves most on another mesh axis";
  }
}

}  // namespace

TW_RULE(DI003)

}  // namespace tilewise::DI003
