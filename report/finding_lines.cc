// Absent parts of a cost were not simulated and are not mentioned; a cost
// without any says why. FNV-1a with 64 bits stands in where a finding has no
// fingerprint of its own.

#include "report/finding_lines.h"

#include <cstdint>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace tilewise {
namespace {

std::string_view StepName(bool of_wall_step) { return of_wall_step ? "step" : "device step"; }

std::string TimeInWords(Seconds time, double share, bool of_wall_step) {
  return fmt::format("{} per step ({} of the {})", FormatSeconds(time), FormatPercent(share),
                     StepName(of_wall_step));
}

uint64_t Fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

std::string OfLocation(const Diagnostic& finding, int turn) {
  return fmt::format("{:016x}", Fnv1a(fmt::format("{}\n{}\n{}", finding.rule,
                                                  FormatLocation(finding.location), turn)));
}

}  // namespace

std::string CostInWords(const Cost& cost) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const bool no_time = cost.time_per_step == Seconds{};
  if (cost.time_per_step && cost.share_of_step && !no_time) {
    add(TimeInWords(*cost.time_per_step, *cost.share_of_step, cost.of_wall_step));
  } else if (cost.time_per_step && !no_time) {
    add(FormatSeconds(*cost.time_per_step) + " per step");
  } else if (cost.share_of_step && !no_time) {
    add(fmt::format("{} of the {}", FormatPercent(*cost.share_of_step),
                    StepName(cost.of_wall_step)));
  }
  if (cost.bytes) add(FormatBytes(*cost.bytes) + " of HBM");
  if (cost.flops) {
    add(FormatShortCount(*cost.flops) + " FLOPs per step and core");
  }
  if (cost.once_per_run) {
    add(FormatSeconds(*cost.once_per_run) + " once per run");
  }
  if (!text.empty()) return text;
  if (no_time) return "nothing per step";
  return cost.unknown.empty() ? "" : "not known: " + cost.unknown;
}

std::string SavingInWords(const Saving& saving) {
  const bool gains_time = saving.time_per_step.value > 0;
  const bool loses_time = saving.time_per_step.value < 0;
  std::string gained, lost;
  const auto add = [](std::string& text, const std::string& part) {
    text += (text.empty() ? "" : " and ") + part;
  };
  if (gains_time || loses_time) {
    const double sign = gains_time ? 1 : -1;
    add(gains_time ? gained : lost,
        TimeInWords(saving.time_per_step * sign, saving.share_of_step * sign, saving.of_wall_step));
  }
  if (saving.hbm.value > 0) add(gained, FormatBytes(saving.hbm) + " of HBM");
  if (saving.hbm.value < 0) {
    add(lost, FormatBytes({-saving.hbm.value}) + " of HBM");
  }
  if (gained.empty() && lost.empty()) return "saves nothing measurable";
  if (lost.empty()) return fmt::format("saves {} if applied", gained);
  if (gained.empty()) return fmt::format("loses {} if applied", lost);
  return fmt::format("saves {} but takes {} if applied", gained, lost);
}

bool SavesTheCost(const Diagnostic& finding) {
  if (!finding.saving) return false;
  const Cost& cost = finding.cost;
  const Saving& saving = *finding.saving;
  const bool others = cost.flops || cost.once_per_run;
  if (others || !cost.time_per_step) return false;
  if (*cost.time_per_step == Seconds{} && !cost.bytes) return true;
  if (saving.time_per_step.value <= 0) return false;
  if (cost.bytes && FormatBytes(*cost.bytes) != FormatBytes(saving.hbm)) {
    return false;
  }
  return FormatSeconds(*cost.time_per_step) == FormatSeconds(saving.time_per_step);
}

std::string RuleInWords(const Diagnostic& finding) {
  if (finding.name.empty()) return finding.rule;
  return finding.rule + " " + finding.name;
}

std::string FixLabel(const Fix& fix) {
  std::string words;
  if (fix.applicability != Applicability::kNone) {
    words = ApplicabilityName(fix.applicability);
  }
  if (fix.changes_numerics) {
    words += words.empty() ? "changes numerics" : ", changes numerics";
  }
  return words.empty() ? "fix" : fmt::format("fix ({})", words);
}

std::string FindingInLines(const Diagnostic& finding) {
  std::string text = finding.message;
  const std::string cost = CostInWords(finding.cost);
  if (!cost.empty() && !SavesTheCost(finding)) text += "\ncost: " + cost;
  if (finding.saving) text += "\n" + SavingInWords(*finding.saving);
  if (!finding.fix.text.empty()) {
    text += fmt::format("\n{}: {}", FixLabel(finding.fix), finding.fix.text);
  }
  return text;
}

std::vector<std::string> DistinctFingerprints(const std::vector<Diagnostic>& findings) {
  std::vector<std::string> fingerprints;
  fingerprints.reserve(findings.size());
  std::set<std::string> taken;
  for (const Diagnostic& finding : findings) {
    std::string fingerprint = finding.fingerprint;
    for (int turn = 0; fingerprint.empty() || taken.contains(fingerprint); ++turn) {
      fingerprint = OfLocation(finding, turn);
    }
    taken.insert(fingerprint);
    fingerprints.push_back(std::move(fingerprint));
  }
  return fingerprints;
}

}  // namespace tilewise
