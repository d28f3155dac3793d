// Flags mesh axes whose collectives run on open lines of chips, or over the
// data centre's network, where closed rings could carry them.

#include <map>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advice/locations.h"
#include "hardware/torus.h"
#include "rules/rule.h"

namespace tilewise::DI004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DI004",
    .name = "topology-mismatch",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .needs = {.model = true},
    .summary = "a mesh axis lies on chips that are not linked to a ring",
    .no_saving = "a mesh is no part of a change; simulate it with --mesh",
    .doc = R"(
What: the collectives of a mesh axis run along a line of chips whose ends are
not linked, or cross from one slice to another on fsdp or tensor, and this
costs at least 2 % of the step.
Why: on a ring both directions carry parts of a reduction, on a line one end
waits for the other: about twice the time. An axis of the torus is a ring only
when it has a whole number of the lengths at which the chip's links close. The
network between slices is far slower than the links.
Remedy: lengths that close the ring; the axis that moves most on the longest
ring; data parallelism, which moves gradients once a step, between slices.
Ignore: when no other slice can be had.
Numbers: the time of the axis' collectives, less what they would take with as
many links as closed rings give.
Sources: scaling-book (no wraparound about doubles the time).)",
    .thresholds = {{"min-share", 0.02, "share of the step that closed rings would save"}},
};

// Simulated time of the collectives of each axis.
std::map<std::string, Seconds> TimeOfAxes(const Simulated& model) {
  std::map<std::string, Seconds> times;
  for (size_t i = 0; i < model.program.kernels.size(); ++i) {
    const OpId root = model.program.kernels[i].root;
    if (root == kNoOp) continue;
    const Op& op = model.program.graph.op(root);
    if (ClassOf(op.kind) != OpClass::kCollective) continue;
    times[op.as<CollectiveAttrs>().axis] += model.spans[i].duration;
  }
  return times;
}

CoreGroup WithClosedRings(CoreGroup group) {
  for (TorusSpan& span : group.spans) span.closed = true;
  return group;
}

std::string LinesText(const CoreGroup& group) {
  for (const TorusSpan& span : group.spans) {
    if (!span.closed && span.length > 2) {
      return fmt::format("a line of {} chips whose ends are not linked", span.length);
    }
  }
  return "";
}

void CheckAxis(const Facts& facts, const std::string& axis, Seconds time, Sink& sink) {
  const Target& target = facts.target;
  const CoreGroup group = FindGroup(target, axis);
  if (group.chips() < 2) return;
  const std::string line = LinesText(group);
  const bool crosses = group.slices > 1 && (axis == "fsdp" || axis == "tensor");
  if (line.empty() && !crosses) return;
  const double closed = WithClosedRings(group).links(target.chip);
  const double lost = closed > 0 ? 1 - group.links(target.chip) / closed : 0;
  const Seconds cost = crosses ? time : time * lost;
  if (cost / facts.StepTime() < sink.threshold("min-share")) return;
  const std::vector<int64_t> axes = TorusAxes(group.chips() * group.slices, target.chip);
  Finding& found = sink.Report(LocationOfModel(facts),
                               "the collectives of {} take {} a step (simulated on {}) {}",
                               axis.empty() ? "all cores" : fmt::format("mesh axis {}", axis),
                               FormatSeconds(time), target.description(),
                               crosses ? fmt::format("and cross {} slices", group.slices)
                                       : fmt::format("on {}, expected a ring", line));
  found.cost = DeviceCost(facts, cost);
  found.fix.text = crosses ? "put data on the slices, and fsdp and tensor inside of one"
                           : fmt::format(
                                 "choose axes of whole multiples of {} chips, where links close to "
                                 "a ring (now {}), or give this axis less to move",
                                 target.chip.torus_wrap_chips, fmt::join(axes, " x "));
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.StepTime().value <= 0) return;
  for (const auto& [axis, time] : TimeOfAxes(*facts.model)) {
    CheckAxis(facts, axis, time, sink);
  }
}

}  // namespace

TW_RULE(DI004)

}  // namespace tilewise::DI004
