// The host loop and the search in text: where the epoch goes, which settings
// to train with, and why.

#include <fmt/format.h>

#include "report/style.h"
#include "report/tables.h"
#include "report/text_layout.h"
#include "report/text_sections.h"

namespace tilewise {
namespace {

std::string LoopLines(const LoopTimeline& loop, int64_t steps_per_execution) {
  Table table({{"", Align::kLeft}, {"", Align::kRight}, {"", Align::kLeft}});
  table.AddRow({"device step", FormatSeconds(loop.device_step), ""});
  table.AddRow(
      {"input pipeline", FormatSeconds(loop.input),
       loop.input_overlaps ? "overlaps the device (prefetch)" : "the device waits for it"});
  table.AddRow({"transfer", FormatSeconds(loop.transfer), "host to devices"});
  table.AddRow({"dispatch", FormatSeconds(loop.dispatch),
                fmt::format("at steps_per_execution={}", FormatCount(steps_per_execution))});
  table.AddRow({"wall step", FormatSeconds(loop.step),
                fmt::format("the device waits {} of it", FormatSeconds(loop.exposed_host))});
  const std::string text = table.Text("  ");
  return text.substr(text.find('\n') + 1);  // the titles are empty
}

// Only when caches make it longer than the others.
std::string FirstEpoch(const LoopTimeline& loop) {
  if (loop.first_epoch <= loop.epoch) return "";
  return fmt::format("; the first epoch {}, while it fills the cache",
                     FormatSeconds(loop.first_epoch));
}

std::string EpochHeading(const LoopTimeline& loop) {
  if (loop.steps_per_epoch <= 0 || loop.epoch.value <= 0) {
    return ": steps per epoch unknown (--steps-per-epoch or --examples)";
  }
  return fmt::format(": {} in {} steps; device {}, host {} ({})", FormatSeconds(loop.epoch),
                     FormatCount(loop.steps_per_epoch), FormatSeconds(loop.epoch - loop.epoch_host),
                     FormatSeconds(loop.epoch_host), FormatPercent(loop.epoch_host / loop.epoch)) +
         FirstEpoch(loop);
}

std::string Sentence(std::string_view label, const std::string& sentence, int width) {
  if (sentence.empty()) return "";
  return Wrap(sentence, width, fmt::format("  {}: ", label), "    ");
}

}  // namespace

std::string TextEpoch(const Report& report, const RenderOptions& options) {
  if (!report.loop) return "";
  const Style style(options.color);
  std::string text = style.Bold("Epoch") + EpochHeading(*report.loop) + "\n";
  text += LoopLines(*report.loop, report.steps_per_execution);
  if (!report.stages.empty()) {
    text += "\n" + StageTable(report.stages).Text("  ");
  }
  return text;
}

std::string TextTuning(const Report& report, const RenderOptions& options) {
  if (!report.tuning) return "";
  const Style style(options.color);
  const Tuning& tuning = *report.tuning;
  std::string text = style.Bold("Batch size") + "\n";
  text += CurveTable(tuning).Text("  ");
  text += Sentence("why", tuning.why, options.width);
  text += Sentence("learning rate", tuning.learning_rate, options.width);
  for (const std::string& constraint : tuning.constraints) {
    text += Sentence("constraint", constraint, options.width);
  }
  if (!tuning.executions.empty() && tuning.best) {
    text += "\n" + style.Bold("Steps per execution");
    text += fmt::format(" at batch {}\n", FormatCount(tuning.best->global_batch));
    text += ExecutionTable(tuning).Text("  ");
  }
  return text;
}

}  // namespace tilewise
