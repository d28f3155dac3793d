// What rules report into.

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "rules/rule.h"

namespace tilewise {

Sink::Sink(const RuleInfo& info, const RuleSettings* settings) : info_(info), settings_(settings) {}

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

Finding& Sink::ReportOp(const Graph& graph, OpId op, int64_t dim, std::string message) {
  Finding& found = Report(graph.op(op).location, std::move(message));
  found.op_line = LineOfOp(graph, op, dim);
  return found;
}

double Sink::threshold(std::string_view name) const {
  const auto stated = std::ranges::find(info_.thresholds, name, &Threshold::name);
  TW_CHECK(stated != info_.thresholds.end());
  if (settings_ == nullptr) return stated->value;
  const auto configured = settings_->thresholds.find(fmt::format("{}.{}", info_.id, name));
  return configured == settings_->thresholds.end() ? stated->value : configured->second;
}

}  // namespace tilewise
