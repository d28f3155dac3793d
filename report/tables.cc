// Numbers become cells here, with their units; nothing is computed.

#include "report/tables.h"

#include <algorithm>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr Align kLeft = Align::kLeft;
constexpr Align kRight = Align::kRight;
constexpr std::string_view kNothing = "-";

std::string OrNothing(Seconds seconds) {
  return seconds.value > 0 ? FormatSeconds(seconds) : std::string(kNothing);
}

// "HBM stall 61 %".
std::string LossCell(const LossSplit& split) {
  const LossPart& part = LargestLoss(split);
  const Seconds time = split.*part.seconds;
  if (time <= Seconds{}) return std::string(kNothing);
  return fmt::format("{} {}", part.name, FormatPercent(time / split.total()));
}

std::string TrialNote(const Trial& trial, const Tuning& tuning) {
  std::string note;
  const auto add = [&](std::string_view part) {
    note += note.empty() ? "" : ", ";
    note += part;
  };
  const auto same = [&](const std::optional<Trial>& other) {
    return other && other->batch_per_core == trial.batch_per_core;
  };
  if (same(tuning.best)) add("best");
  if (tuning.current && tuning.current->global_batch == trial.global_batch) {
    add("present batch");
  }
  if (!trial.fits) {
    add("out of memory");
    if (!trial.largest.empty()) {
      add(fmt::format("{} {}", trial.largest.front().name,
                      FormatBytes(trial.largest.front().padded)));
    }
  }
  if (!trial.aligned) add("not a multiple of 8 per core");
  if (trial.fits && !trial.allowed) add("beyond the constraints");
  return note;
}

std::vector<std::string> CurveRow(const Trial& trial, const Tuning& tuning) {
  std::vector<std::string> row = {FormatCount(trial.batch_per_core),
                                  FormatCount(trial.global_batch)};
  if (trial.fits) {
    const LoopTimeline& loop = trial.loop;
    row.insert(row.end(),
               {FormatCount(trial.steps_per_execution), FormatSeconds(trial.device_step),
                FormatSeconds(loop.step), OrNothing(loop.epoch),
                FormatShortCount(loop.examples_per_second), FormatPercent(loop.mxu_use)});
  } else {
    row.insert(row.end(), 6, std::string(kNothing));
  }
  row.push_back(
      fmt::format("{} of {}", FormatBytes(trial.hbm_peak), FormatBytes(trial.hbm_available)));
  row.push_back(TrialNote(trial, tuning));
  return row;
}

}  // namespace

Table OpTable(const std::vector<OpRow>& rows, bool all, bool losses) {
  std::vector<Column> columns = {{"layer", kLeft},    {"op", kLeft},        {"time", kRight},
                                 {"forward", kRight}, {"backward", kRight}, {"share", kRight},
                                 {"MXU use", kRight}, {"padding", kRight},  {"bound by", kLeft}};
  if (losses) columns.push_back({"largest loss", kLeft});
  Table table(std::move(columns));
  const size_t shown = all ? rows.size() : std::min(rows.size(), kShownOps);
  for (size_t i = 0; i < shown; ++i) {
    const OpRow& row = rows[i];
    std::vector<std::string> cells = {row.name,
                                      row.kind,
                                      FormatSeconds(row.total()),
                                      OrNothing(row.forward),
                                      OrNothing(row.backward),
                                      FormatPercent(row.share),
                                      FormatPercent(row.mxu_use),
                                      fmt::format("{:.2f}x", row.padding),
                                      std::string(BoundName(row.bound))};
    if (losses) cells.push_back(LossCell(row.split));
    table.AddRow(std::move(cells));
  }
  return table;
}

Table LossTable(const LossSplit& split) {
  Table table({{"part", kLeft}, {"time", kRight}, {"share", kRight}});
  const Seconds total = split.total();
  for (const LossPart& part : kLossParts) {
    const Seconds time = split.*part.seconds;
    if (time <= Seconds{}) continue;
    table.AddRow({std::string(part.name), FormatSeconds(time), FormatPercent(time / total)});
  }
  return table;
}

Table BufferTable(const std::vector<LargeBuffer>& buffers) {
  Table table(
      {{"buffer", kLeft}, {"shape and layout", kLeft}, {"padded", kRight}, {"unpadded", kRight}});
  for (const LargeBuffer& buffer : buffers) {
    table.AddRow(
        {buffer.name, buffer.shape, FormatBytes(buffer.padded), FormatBytes(buffer.unpadded)});
  }
  return table;
}

Table StageTable(const std::vector<StageRow>& stages) {
  Table table({{"stage", kLeft},
               {"place", kLeft},
               {"host time per batch", kRight},
               {"host cores used", kRight}});
  for (const StageRow& stage : stages) {
    table.AddRow({stage.stage, FormatLocation(stage.location), FormatSeconds(stage.per_batch),
                  fmt::format("{:.3g}", stage.parallelism)});
  }
  return table;
}

Table CurveTable(const Tuning& tuning) {
  Table table({{"per core", kRight},
               {"batch", kRight},
               {"steps/exec", kRight},
               {"device step", kRight},
               {"wall step", kRight},
               {"epoch", kRight},
               {"examples/s", kRight},
               {"MXU use", kRight},
               {"HBM peak per core", kRight},
               {"", kLeft}});
  for (const Trial& trial : tuning.curve) {
    table.AddRow(CurveRow(trial, tuning));
  }
  return table;
}

Table ExecutionTable(const Tuning& tuning) {
  Table table({{"steps_per_execution", kRight},
               {"dispatch per step", kRight},
               {"wall step", kRight},
               {"epoch", kRight},
               {"examples/s", kRight},
               {"", kLeft}});
  for (const Trial& trial : tuning.executions) {
    const bool best = tuning.best && tuning.best->steps_per_execution == trial.steps_per_execution;
    table.AddRow({FormatCount(trial.steps_per_execution), FormatSeconds(trial.loop.dispatch),
                  FormatSeconds(trial.loop.step), OrNothing(trial.loop.epoch),
                  FormatShortCount(trial.loop.examples_per_second), best ? "best" : ""});
  }
  return table;
}

}  // namespace tilewise
