// A finding takes two lines at most: location, rule, the start of its message
// and what its fix saves. `lint FILE` shows the rest.

#include "report/folder_text.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/finding_lines.h"
#include "report/text.h"

namespace tilewise {
namespace {

// One program takes ten lines, with its name and the line that counts the
// others.
constexpr size_t kShown = 4;
constexpr int kLines = 2;

// "saves 1.81 ms (92 % of the step)"; what a fix costs is in the full report.
std::string GainOf(const Diagnostic& finding) {
  if (finding.saving && finding.saving->time_per_step > Seconds{}) {
    return fmt::format("; saves {} ({})", FormatSeconds(finding.saving->time_per_step),
                       FormatPercent(finding.saving->share_of_step));
  }
  const Cost& cost = finding.cost;
  if (cost.once_per_run) {
    return fmt::format("; {} once per run", FormatSeconds(*cost.once_per_run));
  }
  if (!cost.time_per_step || !cost.share_of_step || *cost.time_per_step <= Seconds{}) return "";
  return fmt::format("; costs {} ({})", FormatSeconds(*cost.time_per_step),
                     FormatPercent(*cost.share_of_step));
}

std::string Shortened(std::string text, size_t most) {
  if (DisplayWidth(text) <= most) return text;
  text.resize(std::min(text.size(), most - 4));
  const size_t space = text.rfind(' ');
  if (space != std::string::npos && space > text.size() / 2) text.resize(space);
  return text + " ...";
}

std::string PlaceIn(const Diagnostic& finding, const std::string& file) {
  std::string place = FormatLocation(finding.location);
  if (!file.empty() && place.starts_with(file + ":")) place.erase(0, file.size() + 1);
  return place == file ? "" : place + " ";
}

std::string FindingLines(const Diagnostic& finding, const std::string& file,
                         const RenderOptions& options) {
  const std::string head = Printable(fmt::format(
      "{}{} {}: ", PlaceIn(finding, file), SeverityName(finding.severity), RuleInWords(finding)));
  const std::string gain = GainOf(finding);
  constexpr size_t kIndents = 12;
  const size_t room = static_cast<size_t>(std::max(40, options.width)) * kLines - kIndents;
  const size_t used = DisplayWidth(head) + DisplayWidth(gain);
  constexpr size_t kLeast = 20;
  // A line that breaks at a long word holds less than its width.
  for (size_t left = used + kLeast < room ? room - used : kLeast;; left -= kLeast / 2) {
    std::string text =
        Wrap(head + Shortened(finding.message, left) + gain, options.width, "  ", "      ");
    if (left < 2 * kLeast || std::ranges::count(text, '\n') <= kLines) return text;
  }
}

}  // namespace

bool IsShort(const Report& report, const RenderOptions& options) {
  return report.programs.size() > 1 && !options.verbose;
}

std::string FindingsByFile(const Report& report, const RenderOptions& options) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Diagnostic*>> of_file;
  for (const Diagnostic& finding : report.findings) {
    const auto [at, is_new] = of_file.try_emplace(finding.location.file);
    if (is_new) order.push_back(finding.location.file);
    at->second.push_back(&finding);
  }
  const Style style(options.color);
  std::string text;
  for (const std::string& file : order) {
    const std::vector<const Diagnostic*>& findings = of_file[file];
    const std::string name = file.empty() ? "without a place in a file" : Printable(file);
    text += fmt::format(
        "{}{}: {}\n", text.empty() ? "" : "\n", style.Bold(name),
        findings.size() == 1 ? "1 finding" : fmt::format("{} findings", findings.size()));
    for (size_t i = 0; i < std::min(kShown, findings.size()); ++i) {
      text += FindingLines(*findings[i], file, options);
    }
    if (findings.size() > kShown) {
      text += fmt::format("  and {} more (--verbose)\n", findings.size() - kShown);
    }
  }
  return text;
}

}  // namespace tilewise
