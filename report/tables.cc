// Numbers become cells here, with their units; rows of layers that are alike
// become one.

#include "report/tables.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "report/curve.h"

namespace tilewise {
namespace {

constexpr double kSameTime = 0.02;

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

struct Piece {
  std::string text;
  bool is_number = false;  // of a layer
};

// Runs of digits that may be the number of a layer, and of other characters, in
// turn: any on the way to the last component of a path, and those in it that
// stand between dots: "h.11.mlp". Those of "dot_1" and "fc1" are none.
std::vector<Piece> Pieces(const std::string& name) {
  const size_t path_end = name.rfind('/');
  std::vector<Piece> pieces;
  for (size_t begin = 0, end = 0; begin < name.size(); begin = end) {
    const bool digits = IsDigit(name[begin]);
    while (end < name.size() && IsDigit(name[end]) == digits) ++end;
    const bool on_the_way = path_end != std::string::npos && begin < path_end;
    const bool is_part =
        begin > 0 && name[begin - 1] == '.' && end < name.size() && name[end] == '.';
    const bool is_number = digits && (on_the_way || is_part);
    if (pieces.empty() || is_number || pieces.back().is_number) pieces.push_back({"", is_number});
    pieces.back().text += name.substr(begin, end - begin);
  }
  return pieces;
}

// The name with a star for every number of a layer.
std::string Pattern(const std::string& name) {
  std::string pattern;
  for (const Piece& piece : Pieces(name)) pattern += piece.is_number ? "*" : piece.text;
  return pattern;
}

struct Joined {
  OpRow row;                  // sums
  std::vector<Piece> pieces;  // of the names, "*" where they differ
  Seconds one;                // time of the first
  int64_t count = 0;
};

bool Fits(const Joined& joined, const OpRow& row) {
  return joined.row.kind == row.kind && joined.row.bound == row.bound &&
         std::abs((row.total() - joined.one).value) <= kSameTime * joined.one.value;
}

void Add(const OpRow& row, Joined& joined) {
  OpRow& sum = joined.row;
  const Seconds before = sum.total();
  const Seconds total = before + row.total();
  if (total > Seconds{}) {
    sum.mxu_use = (sum.mxu_use * before.value + row.mxu_use * row.total().value) / total.value;
  }
  sum.forward += row.forward;
  sum.backward += row.backward;
  sum.update += row.update;
  sum.share += row.share;
  sum.split += row.split;
  sum.location = {};
  const std::vector<Piece> pieces = Pieces(row.name);
  for (size_t i = 0; i < std::min(pieces.size(), joined.pieces.size()); ++i) {
    if (joined.pieces[i].text != pieces[i].text) joined.pieces[i].text = "*";
  }
  ++joined.count;
}

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
  if (trial.pruned) {
    add(fmt::format("at most {} examples/s: not simulated", FormatShortCount(Throughput(trial))));
  }
  if (tuning.current && tuning.current->global_batch == trial.global_batch) {
    add("present batch");
  }
  if (!trial.fits) {
    add("out of memory");
    if (!trial.largest.empty()) {
      add(fmt::format("{} {}", trial.largest.front().name,
                      FormatBytes(trial.largest.front().all_padded())));
    }
  }
  if (trial.fits && !trial.sure) {
    add(fmt::format("fits with {} certainty", FormatPercent(trial.certainty)));
  }
  if (!trial.aligned) add("not a multiple of 8");
  if (trial.fits && !trial.allowed) add("beyond the constraints");
  return note;
}

std::vector<std::string> CurveRow(const Trial& trial, const Tuning& tuning) {
  std::vector<std::string> row = {FormatCount(trial.batch_per_core),
                                  FormatCount(trial.global_batch)};
  if (IsSimulated(trial)) {
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

std::vector<OpRow> JoinEqualLayers(const std::vector<OpRow>& rows) {
  std::vector<Joined> joined;
  std::map<std::string, std::vector<size_t>> by_pattern;
  for (const OpRow& row : rows) {
    std::vector<size_t>& alike = by_pattern[Pattern(row.name)];
    const auto found =
        std::find_if(alike.begin(), alike.end(), [&](size_t i) { return Fits(joined[i], row); });
    if (found != alike.end()) {
      Add(row, joined[*found]);
      continue;
    }
    alike.push_back(joined.size());
    joined.push_back({row, Pieces(row.name), row.total(), 1});
  }
  std::vector<OpRow> result;
  for (Joined& one : joined) {
    if (one.count > 1) {
      one.row.name.clear();
      for (const Piece& piece : one.pieces) one.row.name += piece.text;
      one.row.name += fmt::format(" (x{})", one.count);
    }
    result.push_back(std::move(one.row));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const OpRow& a, const OpRow& b) { return a.total() > b.total(); });
  return result;
}

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
  const auto is_several = [](const LargeBuffer& buffer) { return buffer.count > 1; };
  const auto has_line = [](const LargeBuffer& buffer) { return buffer.location.line > 0; };
  const bool counts = std::ranges::any_of(buffers, is_several);
  const bool lines = std::ranges::any_of(buffers, has_line);
  std::vector<Column> columns = {{"buffer", kLeft}, {"shape and layout", kLeft}};
  if (counts) {
    columns.push_back({"count", kRight});
    columns.push_back({"each", kRight});
  }
  columns.push_back({"padded", kRight});
  columns.push_back({"unpadded", kRight});
  if (lines) columns.push_back({"line", kLeft});
  Table table(columns);
  for (const LargeBuffer& buffer : buffers) {
    std::vector<std::string> cells = {buffer.name, buffer.shape};
    if (counts) {
      cells.push_back(FormatCount(buffer.count));
      cells.push_back(FormatBytes(buffer.padded));
    }
    cells.push_back(FormatBytes(buffer.all_padded()));
    cells.push_back(FormatBytes(buffer.unpadded * buffer.count));
    if (lines) cells.push_back(has_line(buffer) ? FormatLocation(buffer.location) : "");
    table.AddRow(std::move(cells));
  }
  return table;
}

namespace {

// Whether the stage spends a share of its time without a core.
bool Waits(const StageRow& stage) {
  constexpr double kLeastShare = 0.01;
  return stage.per_batch - stage.work > stage.per_batch * kLeastShare;
}

}  // namespace

Table StageTable(const std::vector<StageRow>& stages) {
  const bool unknown = std::any_of(stages.begin(), stages.end(), [](const StageRow& stage) {
    return !stage.unknown_ops.empty();
  });
  const bool waits = std::ranges::any_of(stages, Waits);
  std::vector<Column> columns = {
      {"stage", kLeft}, {"place", kLeft}, {"host time per batch", kRight}};
  if (waits) columns.push_back({"of it waiting", kRight});
  columns.push_back({"threads", kRight});
  if (unknown) columns.push_back({"ops of unknown cost", kLeft});
  Table table(columns);
  for (const StageRow& stage : stages) {
    const char* more = stage.unknown_ops.empty() ? "" : " or more";
    std::vector<std::string> cells = {stage.stage, FormatLocation(stage.location),
                                      FormatSeconds(stage.per_batch) + more};
    if (waits) cells.push_back(Waits(stage) ? FormatSeconds(stage.per_batch - stage.work) : "-");
    cells.push_back(fmt::format("{:.3g}", stage.parallelism));
    if (unknown) cells.push_back(fmt::format("{}", fmt::join(stage.unknown_ops, ", ")));
    table.AddRow(cells);
  }
  return table;
}

Table CurveTable(const Tuning& tuning, const RunSetting& setting) {
  Table table({{"per " + setting.batch_share, kRight},
               {"batch", kRight},
               {"steps/exec", kRight},
               {"device step", kRight},
               {"wall step", kRight},
               {"epoch", kRight},
               {"examples/s", kRight},
               {"MXU use", kRight},
               {"HBM peak per " + setting.device, kRight},
               {"", kLeft}});
  for (const Trial* trial : ShownTrials(tuning)) table.AddRow(CurveRow(*trial, tuning));
  return table;
}

Table ContenderTable(const Tuning& tuning) {
  const std::vector<Contender>& contenders = tuning.contenders;
  if (contenders.empty()) return Table({});
  const bool priced =
      std::ranges::any_of(contenders, [](const Contender& c) { return c.cost.has_value(); });
  std::vector<Column> columns = {
      {"machine", kLeft},     {"changes", kLeft},    {"per device", kRight},
      {"steps/exec", kRight}, {"wall step", kRight}, {"examples/s", kRight},
      {"per chip", kRight},   {"MXU use", kRight},   {"HBM peak", kRight}};
  if (priced) columns.push_back({"cost of 1 M", kRight});
  columns.push_back({"", kLeft});
  Table table(std::move(columns));
  for (const Contender& contender : contenders) {
    const Trial& trial = contender.trial;
    const double rate = Throughput(trial);
    std::vector<std::string> cells = {
        contender.machine,
        contender.changes.empty() ? std::string(kNothing) : contender.changes,
        FormatCount(trial.batch_per_core),
        FormatCount(trial.steps_per_execution),
        FormatSeconds(trial.loop.step),
        FormatShortCount(rate),
        FormatShortCount(rate / static_cast<double>(contender.chips)),
        FormatPercent(trial.loop.mxu_use),
        FormatBytes(trial.hbm_peak)};
    if (priced) {
      cells.push_back(contender.cost ? fmt::format("{:.3g}", *contender.cost)
                                     : std::string(kNothing));
    }
    std::string note = contender.on_front ? "on the front" : "";
    if (!trial.sure) {
      note += fmt::format("{}fits with {} certainty", note.empty() ? "" : ", ",
                          FormatPercent(trial.certainty));
    }
    cells.push_back(std::move(note));
    table.AddRow(std::move(cells));
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
  const size_t count = tuning.executions.size();
  for (size_t i = 0; i < count; ++i) {
    const Trial& trial = tuning.executions[i];
    const bool best = tuning.best && tuning.best->steps_per_execution == trial.steps_per_execution;
    if (!best && !IsShown(i, count)) continue;
    table.AddRow({FormatCount(trial.steps_per_execution), FormatSeconds(trial.loop.dispatch),
                  FormatSeconds(trial.loop.step), OrNothing(trial.loop.epoch),
                  FormatShortCount(trial.loop.examples_per_second), best ? "best" : ""});
  }
  return table;
}

Table MemoryTable(const MemoryUse& use) {
  Table table({{"HBM at the peak", Align::kLeft}, {"", Align::kRight}});
  const auto add = [&](std::string_view name, Bytes bytes) {
    if (bytes > Bytes{}) {
      table.AddRow({std::string(name), FormatBytes(bytes)});
    }
  };
  for (size_t i = 0; i < use.by_use.size(); ++i) {
    add(BufferUseName(static_cast<BufferUse>(i)), use.by_use[i]);
  }
  add("of these, padding", use.padding);
  if (use.fragmentation) {
    add("fragmentation beside them", *use.fragmentation);
  }
  add("reserved by the runtime", use.reserved);
  add("HBM of a core, nameplate", use.nameplate);
  return table;
}

namespace {

std::string FitOf(const Remedy& remedy) {
  if (!remedy.fits()) return "does not fit";
  const bool is_sure = remedy.certainty >= kDefaultCertainty;
  return is_sure ? "fits" : fmt::format("fits with {} certainty", FormatPercent(remedy.certainty));
}

}  // namespace

Table RemedyTable(const std::vector<Remedy>& remedies) {
  Table table({{"change", Align::kLeft},
               {"HBM peak", Align::kRight},
               {"", Align::kLeft},
               {"device step", Align::kRight}});
  for (const Remedy& remedy : remedies) {
    table.AddRow({remedy.change, FormatBytes(remedy.hbm_peak), FitOf(remedy),
                  FormatSeconds(remedy.device_step)});
  }
  return table;
}

}  // namespace tilewise
