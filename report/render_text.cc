// The report for a terminal: the answer first, then the findings, then the
// tables that they rest on; last what the findings come to.

#include <fmt/format.h>

#include "report/renderers.h"
#include "report/style.h"
#include "report/text_layout.h"
#include "report/text_sections.h"
#include "report/verdict.h"

namespace tilewise {
namespace {

bool HasFigures(const Report& report) {
  return report.timeline || report.estimate || report.tuning;
}

std::string Verdict(const Report& report, const RenderOptions& options) {
  const Style style(options.color);
  std::string text = style.Bold(Printable(report.workload)) + "\n";
  for (const std::string& sentence : VerdictSentences(report)) {
    text += Wrap(sentence, options.width, "  ", "  ");
  }
  if (HasFigures(report)) {
    text += style.Dim(Wrap(fmt::format("({})", kEstimateLabel), options.width, "  ", "  "));
  }
  return text;
}

}  // namespace

std::string RenderText(const Report& report, const RenderOptions& options) {
  std::string text = Verdict(report, options);
  for (const auto section : {TextFindings, TextOps, TextLosses, TextMemory, TextEpoch, TextTuning,
                             TextNotes, TextStatistics, TextSummary}) {
    const std::string part = section(report, options);
    if (!part.empty()) text += "\n" + part;
  }
  return text;
}

}  // namespace tilewise
