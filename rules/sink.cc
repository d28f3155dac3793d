// What rules report into, and what findings cost.

#include "base/check.h"
#include "rules/rule.h"

namespace tilewise {

Finding& Sink::Report(const Location& location, std::string message) {
  Finding& found = found_.emplace_back();
  found.rule = info_.id;
  found.name = info_.name;
  found.severity = info_.severity;
  found.location = location;
  found.message = std::move(message);
  found.no_change = info_.no_saving;
  found.fix.applicability = info_.fix;
  found.fix.changes_numerics = info_.changes_numerics;
  return found;
}

Finding& Sink::ReportDim(OpId op, int64_t dim, std::string message) {
  Finding& found = Report(facts_.source->op(op).location, std::move(message));
  found.op_line = LineOfOp(*facts_.source, op, dim);
  return found;
}

std::deque<Finding> Sink::Take() {
  for (Finding& found : found_) {
    Cost& cost = found.cost;
    if (!cost.known() && cost.unknown.empty()) cost.unknown = info_.no_cost;
  }
  return std::move(found_);
}

double Sink::threshold(std::string_view name) const {
  const auto stated = std::ranges::find(info_.thresholds, name, &Threshold::name);
  TW_CHECK(stated != info_.thresholds.end());
  if (settings_ == nullptr) return stated->value;
  const auto configured = settings_->thresholds.find(fmt::format("{}.{}", info_.id, name));
  return configured == settings_->thresholds.end() ? stated->value : configured->second;
}

Cost DeviceCost(const Facts& facts, Seconds time, std::optional<Bytes> bytes) {
  Cost cost;
  cost.time_per_step = time;
  if (facts.StepTime() > Seconds{}) cost.share_of_step = time / facts.StepTime();
  cost.bytes = bytes;
  return cost;
}

void MarkUnlessWorthSaying(const Facts& facts, Finding& found) {
  const Cost& cost = found.cost;
  if (facts.WorthSaying(cost.time_per_step.value_or(Seconds{}), cost.bytes.value_or(Bytes{}))) {
    return;
  }
  found.too_small = kLittleOfStep;
}

Cost WallCost(Seconds time, Seconds step) {
  Cost cost;
  cost.time_per_step = time;
  cost.share_of_step = time / step;
  cost.of_wall_step = true;
  return cost;
}

}  // namespace tilewise
