// The end of a report on findings, which is what stays on the screen.

#include <fmt/format.h>

#include "report/rule_statistics.h"
#include "report/style.h"
#include "report/summary_lines.h"
#include "report/text_layout.h"
#include "report/text_sections.h"

namespace tilewise {
namespace {

std::string Programs(const Report& report, const RenderOptions& options) {
  const Table table = ProgramTable(report.programs, options.verbose);
  if (table.empty()) return "";
  return fmt::format("{}: {}\n{}\n", Style(options.color).Bold("Programs"), report.programs.size(),
                     table.Text("  "));
}

// What the figures of ReachableSentences are.
std::string Remark(const Reachable& reachable) {
  return fmt::format("(simulated; {}fixes that overlap are counted once)",
                     AveragesSteps(reachable.now)
                         ? "averages are over all steps, slower ones of the first epoch and "
                           "of a partial last batch included; "
                         : "");
}

bool HasFixes(const Reachable& reachable) {
  return !reachable.all_fixes.empty() || !reachable.safe_fixes.empty();
}

}  // namespace

std::string TextStatistics(const Report& report, const RenderOptions& options) {
  if (!report.statistics) return "";
  const std::string title = Style(options.color).Bold("Statistics") + "\n";
  const Table table = StatisticsTable(CountByRule(report));
  return title + (table.empty() ? "  no findings\n" : table.Text("  "));
}

std::string TextSummary(const Report& report, const RenderOptions& options) {
  if (report.command != "lint" && report.command != "advise") return "";
  std::string text = Programs(report, options);
  const Style style(options.color);
  for (const std::string& failure : report.failures) {
    text += Wrap(failure, options.width, style.Name(Severity::kError) + ": ", "  ");
  }
  text += Wrap("Found " + CountsInWords(report) + ".", options.width, "", "  ");
  if (!report.reachable) return text;
  for (const std::string& sentence : ReachableSentences(*report.reachable)) {
    text += Wrap(sentence, options.width, "", "  ");
  }
  if (HasFixes(*report.reachable)) {
    text += style.Dim(Wrap(Remark(*report.reachable), options.width, "", ""));
  }
  return text;
}

}  // namespace tilewise
