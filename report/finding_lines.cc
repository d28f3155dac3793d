// Absent parts of a cost were not simulated and are not mentioned; a cost
// without any says why.

#include "report/finding_lines.h"

#include <fmt/format.h>

namespace tilewise {

std::string CostInWords(const Cost& cost) {
  std::string text;
  const auto add = [&](const std::string& part) {
    text += (text.empty() ? "" : ", ") + part;
  };
  const std::string_view step = cost.of_wall_step ? "step" : "device step";
  if (cost.time_per_step == Seconds{}) {
    add("nothing per step");
  } else if (cost.time_per_step) {
    std::string time = FormatSeconds(*cost.time_per_step) + " per step";
    if (cost.share_of_step) {
      time += fmt::format(" ({} of the {})", FormatPercent(*cost.share_of_step),
                          step);
    }
    add(time);
  } else if (cost.share_of_step) {
    add(fmt::format("{} of the {}", FormatPercent(*cost.share_of_step), step));
  }
  if (cost.bytes) add(FormatBytes(*cost.bytes) + " of HBM");
  if (cost.flops) {
    add(FormatShortCount(*cost.flops) + " FLOPs per step and core");
  }
  if (cost.once_per_run) {
    add(FormatSeconds(*cost.once_per_run) + " once per run");
  }
  if (text.empty() && !cost.unknown.empty()) {
    text = "not known: " + cost.unknown;
  }
  return text;
}

std::string RuleInWords(const Diagnostic& finding) {
  if (finding.name.empty()) return finding.rule;
  return finding.rule + " " + finding.name;
}

std::string FixLabel(const Fix& fix) {
  if (fix.applicability == Applicability::kNone) return "fix";
  return fmt::format("fix ({})", ApplicabilityName(fix.applicability));
}

}  // namespace tilewise
