// The step in text: where its device time goes, and what its memory holds.

#include <fmt/format.h>

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
    text +=
        fmt::format(": {} per step at {}", FormatSeconds(report.timeline->step),
                    FormatBatch(report.global_batch, report.batch_per_core));
  }
  text += "\n" + OpTable(report.ops, options.verbose).Text("  ");
  if (!options.verbose && report.ops.size() > kShownOps) {
    Seconds rest;
    for (size_t i = kShownOps; i < report.ops.size(); ++i) {
      rest += report.ops[i].total();
    }
    text += fmt::format("  and {} more rows, {} together (--verbose)\n",
                        report.ops.size() - kShownOps, FormatSeconds(rest));
  }
  return text;
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
  if (!report.largest.empty()) text += BufferTable(report.largest).Text("  ");
  return text;
}

}  // namespace tilewise
