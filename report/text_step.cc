// The step in text: where its device time goes, and what its memory holds.

#include <fmt/format.h>

#include "report/joined_rows.h"
#include "report/style.h"
#include "report/tables.h"
#include "report/text_sections.h"
#include "report/verdict.h"

namespace tilewise {

std::string TextOps(const Report& report, const RenderOptions& options) {
  if (report.ops.empty()) return "";
  const Style style(options.color);
  std::string text = style.Bold("Where the device time goes");
  if (report.timeline) {
    text += fmt::format(": {} per step at {}", FormatSeconds(report.timeline->step),
                        FormatBatch(report.global_batch, report.batch_per_core));
  }
  const std::vector<OpRow> rows = options.verbose ? report.ops : JoinEqualLayers(report.ops);
  text += "\n" + OpTable(rows, options.verbose, report.split.has_value()).Text("  ");
  if (!options.verbose && rows.size() > kShownOps) {
    Seconds rest;
    for (size_t i = kShownOps; i < rows.size(); ++i) rest += rows[i].total();
    text += fmt::format("  and {} more rows, {} together (--verbose)\n", rows.size() - kShownOps,
                        FormatSeconds(rest));
  }
  return text;
}

std::string TextLosses(const Report& report, const RenderOptions& options) {
  if (!report.split) return "";
  const Style style(options.color);
  const LossSplit& split = *report.split;
  std::string text = style.Bold("What the time of a step is spent on");
  text += fmt::format(": {} {}\n", FormatSeconds(split.total()),
                      report.loop ? "by the wall clock" : "on the device");
  return text + LossTable(split).Text("  ");
}

std::string TextMemory(const Report& report, const RenderOptions& options) {
  if (!report.program) return "";
  const Style style(options.color);
  const Memory& memory = report.program->memory;
  std::string text = style.Bold("Memory");
  text += fmt::format(
      ": HBM peak {} of {} per core ({}); weights {}, optimizer state {}, "
      "inputs {}\n",
      FormatBytes(memory.peak), FormatBytes(memory.available),
      memory.fits() ? "fits" : "does not fit", FormatBytes(memory.variables),
      FormatBytes(memory.optimizer_state), FormatBytes(memory.arguments));
  if (report.memory_use) text += MemoryTable(*report.memory_use).Text("  ");
  if (!report.largest.empty()) text += BufferTable(report.largest).Text("  ");
  if (!report.ways_to_fit.empty()) {
    text += style.Bold("What would make it fit") + "\n";
    text += FitTable(report.ways_to_fit).Text("  ");
  }
  return text;
}

}  // namespace tilewise
