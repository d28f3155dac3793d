// Sums over the kernels that are marked.

#include "report/rematerialization.h"

#include <fmt/format.h>

namespace tilewise {

std::optional<Rematerialization> RematerializationOf(const Report& report) {
  if (!report.program) return std::nullopt;
  const Program& program = *report.program;
  Rematerialization result;
  result.peak_without = program.memory.without_rematerialization;
  if (result.peak_without <= Bytes{}) return std::nullopt;
  for (const Kernel& kernel : program.kernels) {
    result.kernels += kernel.rematerialized ? 1 : 0;
  }
  if (!report.timeline) return result;
  for (const KernelSpan& span : report.timeline->spans) {
    const size_t kernel = span.kernel;
    if (program.kernels[kernel].rematerialized) result.time += span.duration;
  }
  return result;
}

std::string RematerializationSentence(const Report& report) {
  const auto found = RematerializationOf(report);
  if (!found) return "";
  const std::string peaks =
      fmt::format("the step would need {} of HBM per core otherwise, and {} are available",
                  FormatBytes(found->peak_without), FormatBytes(report.program->memory.available));
  if (found->kernels == 0) {
    return fmt::format("XLA runs kernels later to make it fit: {}.", peaks);
  }
  const std::string time =
      report.timeline ? fmt::format(" ({} a step)", FormatSeconds(found->time)) : std::string();
  return fmt::format("XLA runs {} {} again to make it fit{}: {}.", found->kernels,
                     found->kernels == 1 ? "kernel" : "kernels", time, peaks);
}

}  // namespace tilewise
