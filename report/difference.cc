// A difference as text, as Markdown for a comment on a pull request, and as
// JSON. In JSON times are seconds and shares are 0..1.

#include "report/difference.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "report/json.h"
#include "report/text.h"

namespace tilewise {
namespace {

constexpr size_t kShownGroups = 12;
constexpr size_t kShownChanges = 20;

std::string_view FigureTitle(FigureKind kind) {
  switch (kind) {
    case FigureKind::kStep:
      return "step";
    case FigureKind::kDevice:
      return "on the device";
    case FigureKind::kHbm:
      return "HBM peak";
    case FigureKind::kCompile:
      return "compilation";
  }
  return "";
}

std::string Value(FigureKind kind, double value) {
  return kind == FigureKind::kHbm ? FormatBytes({static_cast<int64_t>(std::llround(value))})
                                  : FormatSeconds({value});
}

std::string Signed(double share) {
  const double percent = 100 * share;
  if (std::abs(percent) < 0.05) return "0 %";
  return fmt::format("{:+.{}f} %", percent, std::abs(percent) < 9.95 ? 1 : 0);
}

std::string SignedTime(Seconds time) {
  return time < Seconds{} ? "-" + FormatSeconds(Seconds{-time.value}) : "+" + FormatSeconds(time);
}

std::string RangeText(const Difference& difference, const FigureDifference& figure) {
  if (!figure.range || !figure.changed()) return "";
  const bool both = difference.before.kind == SideKind::kPrediction &&
                    difference.after.kind == SideKind::kPrediction;
  if (figure.range->high - figure.range->low < 1e-6) return "";
  return fmt::format("{} {:.2f} to {:.2f}{}", figure.inside_range ? "inside" : "outside",
                     figure.range->low, figure.range->high,
                     both && figure.inside_range ? "; errors that both share cancel" : "");
}

// "faster", "slower", "the same": of a figure that is better when it is small.
std::string_view Direction(const FigureDifference& figure) {
  if (!figure.changed()) return "the same";
  const bool less = figure.ratio < 1;
  if (figure.kind == FigureKind::kHbm) return less ? "less memory" : "more memory";
  return less ? "faster" : "slower";
}

Table FigureTable(const Difference& difference) {
  Table table({{"figure", Align::kLeft},
               {"old"},
               {"new"},
               {"change"},
               {"", Align::kLeft},
               {"range of a ratio", Align::kLeft}});
  for (const FigureDifference& figure : difference.figures) {
    table.AddRow({std::string(FigureTitle(figure.kind)), Value(figure.kind, figure.before),
                  Value(figure.kind, figure.after), Signed(figure.ratio - 1),
                  std::string(Direction(figure)), RangeText(difference, figure)});
  }
  return table;
}

std::string PlaceOf(const GroupDifference& row) {
  const Location& place = row.after_location.known() ? row.after_location : row.before_location;
  return place.known() ? FormatLocation(place) : "";
}

std::string TimeOrNone(const std::optional<Seconds>& time) {
  return time ? FormatSeconds(*time) : "none";
}

// Rows of layers that differ in a number of their name, and changed alike, as one
// row of their sums: "h.*.attn (x12)".
std::vector<GroupDifference> JoinedLayers(const std::vector<GroupDifference>& rows) {
  constexpr double kAlike = 0.1;
  struct Joined {
    GroupDifference row;
    Seconds change;  // of one
    int64_t count = 1;
  };
  std::vector<Joined> joined;
  for (const GroupDifference& row : rows) {
    GroupDifference pattern = row;
    pattern.name.clear();
    for (const char c : row.name) {
      const bool digit = c >= '0' && c <= '9';
      if (!digit) pattern.name += c;
      if (digit && !pattern.name.ends_with('*')) pattern.name += '*';
    }
    const auto same = std::ranges::find_if(joined, [&](const Joined& other) {
      return other.row.name == pattern.name && other.row.kind == row.kind &&
             other.row.before.has_value() == row.before.has_value() &&
             other.row.after.has_value() == row.after.has_value() &&
             std::abs(other.change.value - row.change().value) <=
                 kAlike * std::abs(other.change.value);
    });
    if (same == joined.end()) {
      joined.push_back({pattern, row.change(), 1});
      continue;
    }
    if (row.before) *same->row.before += *row.before;
    if (row.after) *same->row.after += *row.after;
    ++same->count;
  }
  std::vector<GroupDifference> result;
  for (size_t i = 0; i < joined.size(); ++i) {
    GroupDifference row = std::move(joined[i].row);
    if (joined[i].count > 1) {
      row.name += fmt::format(" (x{})", joined[i].count);
    } else {
      const auto single = std::ranges::find_if(rows, [&](const GroupDifference& other) {
        return other.before == row.before && other.after == row.after && other.kind == row.kind;
      });
      if (single != rows.end()) row.name = single->name;
    }
    result.push_back(std::move(row));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const GroupDifference& a, const GroupDifference& b) {
                     return std::abs(a.change().value) > std::abs(b.change().value);
                   });
  return result;
}

Table GroupTable(const std::vector<GroupDifference>& rows, std::string_view title, bool places,
                 bool all) {
  std::vector<Column> columns = {{std::string(title), Align::kLeft}, {"old"}, {"new"}, {"change"}};
  if (places) columns.push_back({"line", Align::kLeft});
  Table table(columns);
  const size_t shown = all ? rows.size() : std::min(rows.size(), kShownGroups);
  for (size_t i = 0; i < shown; ++i) {
    constexpr size_t kLongest = 60;  // names of GPU kernels have all their arguments
    const std::string& name = rows[i].name;
    const bool cut = !all && name.size() > kLongest;
    std::vector<std::string> cells = {cut ? name.substr(0, kLongest - 2) + ".." : name,
                                      TimeOrNone(rows[i].before), TimeOrNone(rows[i].after),
                                      SignedTime(rows[i].change())};
    if (places) cells.push_back(PlaceOf(rows[i]));
    table.AddRow(cells);
  }
  return table;
}

std::vector<std::string> BudgetLines(const Difference& difference) {
  std::vector<std::string> lines;
  for (const BudgetResult& result : difference.budget) {
    const FigureKind kind = result.limit.kind;
    if (!result.known) {
      lines.push_back(fmt::format("{}: not known on both sides, so not kept", result.limit.text));
      continue;
    }
    lines.push_back(fmt::format("{}: {}, {} of at most {}", result.limit.text,
                                result.kept ? "kept" : "exceeded", Value(kind, result.found),
                                Value(kind, result.allowed)));
  }
  if (difference.no_longer_fits && !difference.budget.empty()) {
    lines.emplace_back("the new step no longer fits the HBM: exceeded");
  }
  return lines;
}

std::string SideLine(const DiffSide& side) {
  std::string text = fmt::format("{} ({}", side.name, SideKindName(side.kind));
  if (!side.target.empty()) text += fmt::format(" for {}", side.target);
  if (side.global_batch > 0) {
    text += fmt::format(", batch {}{}", FormatCount(side.global_batch),
                        side.batch_assumed ? " assumed" : "");
  }
  return text + ")";
}

// "the step is faster by 18 %, inside the range in which such figures err".
std::string ChangeText(std::string_view what, const FigureDifference& figure, bool measured) {
  const double times = figure.ratio < 1 ? 1 / figure.ratio : figure.ratio;
  const std::string range =
      figure.range
          ? fmt::format(", {} the range in which {}", figure.inside_range ? "inside" : "outside",
                        measured ? "steps of these runs vary" : "such figures err")
          : "";
  return fmt::format("{} is {} by {}{}{}", what, figure.ratio < 1 ? "faster" : "slower",
                     Signed(figure.ratio - 1).substr(1),
                     times >= 1.5 ? fmt::format(" ({:.2f} times)", times) : "", range);
}

// The answer in sentences.
std::vector<std::string> Sentences(const Difference& difference) {
  std::vector<std::string> all;
  const bool measured = difference.before.kind != SideKind::kPrediction &&
                        difference.after.kind != SideKind::kPrediction;
  const FigureDifference* step = difference.Find(FigureKind::kStep);
  if (step == nullptr) step = difference.Find(FigureKind::kDevice);
  if (step == nullptr) {
    all.emplace_back("the two have no step time in common");
  } else if (!step->changed()) {
    const FigureDifference* device = difference.Find(FigureKind::kDevice);
    const bool hidden = device != nullptr && device->changed();
    all.push_back(hidden ? fmt::format("the step takes the same time, as the host or the input is "
                                       "what it waits for; {}",
                                       ChangeText("the device's part", *device, measured))
                         : "the step takes the same time");
  } else {
    all.push_back(
        ChangeText(difference.per_example ? "a step per example" : "the step", *step, measured));
  }
  if (difference.no_longer_fits) all.emplace_back("the new step no longer fits the HBM");
  if (difference.per_example) {
    all.push_back(fmt::format("batches differ ({} and {}), so times are compared per example",
                              FormatCount(difference.before.global_batch),
                              FormatCount(difference.after.global_batch)));
  }
  const auto is_profile = [](const DiffSide& side) { return side.kind == SideKind::kProfile; };
  if (IsProgramAndRun(difference.before, difference.after) &&
      (is_profile(difference.before) || is_profile(difference.after))) {
    all.emplace_back("'tilewise profile TRACE PROGRAM' puts the two side by side, op by op");
  }
  for (const DiffSide* side : {&difference.before, &difference.after}) {
    for (std::string note : side->notes) {
      if (note.ends_with('.')) note.pop_back();  // as the others, which are sentences without one
      if (std::ranges::find(all, note) == all.end()) all.push_back(std::move(note));
    }
  }
  return all;
}

std::string FindingLine(const Diagnostic& finding) {
  const std::string place = FormatLocation(finding.location);
  return fmt::format("{}{}{}: {}", place, place.empty() ? "" : ": ", finding.rule, finding.message);
}

std::string FindingText(std::string_view title, const std::vector<Diagnostic>& findings,
                        const RenderOptions& options) {
  if (findings.empty()) return "";
  std::string text = fmt::format("\n{}: {}\n", title, findings.size());
  const size_t shown = options.verbose ? findings.size() : std::min(findings.size(), kShownChanges);
  for (size_t i = 0; i < shown; ++i) {
    text += Wrap(FindingLine(findings[i]), options.width, "  ", "    ");
  }
  if (shown < findings.size()) {
    text += fmt::format("  and {} more (--verbose)\n", findings.size() - shown);
  }
  return text;
}

std::string DifferenceText(const Difference& difference, const RenderOptions& options) {
  const Style style(options.color);
  std::string text = Wrap("old: " + SideLine(difference.before), options.width, "", "  ") +
                     Wrap("new: " + SideLine(difference.after), options.width, "", "  ") + "\n";
  for (const std::string& sentence : Sentences(difference)) {
    text += Wrap(sentence + ".", options.width, "", "  ");
  }
  const Table figures = FigureTable(difference);
  if (!figures.empty()) text += "\n" + figures.Text("  ");
  const auto section = [&](std::string_view title, const Table& table, size_t rows) {
    if (table.empty()) return;
    text += fmt::format("\n{}\n{}", style.Bold(std::string(title)), table.Text("  "));
    if (!options.verbose && rows > kShownGroups) {
      text += fmt::format("  and {} more (--verbose)\n", rows - kShownGroups);
    }
  };
  const std::vector<GroupDifference> layers =
      options.verbose ? difference.layers : JoinedLayers(difference.layers);
  section("Where", GroupTable(layers, "layer", true, options.verbose), layers.size());
  section("By kind of op", GroupTable(difference.kinds, "kind", false, options.verbose),
          difference.kinds.size());
  text += FindingText("Findings that came", difference.came, options);
  text += FindingText("Findings that went", difference.went, options);
  const std::vector<std::string> budget = BudgetLines(difference);
  if (!budget.empty()) {
    text += fmt::format(
        "\n{}\n", style.Bold(difference.within_budget() ? "Budget: kept" : "Budget: exceeded"));
    for (const std::string& line : budget) text += Wrap(line, options.width, "  ", "    ");
  }
  return text;
}

std::string DifferenceMarkdown(const Difference& difference, const RenderOptions& options) {
  const bool gate = !difference.budget.empty();
  std::string text =
      fmt::format("### tilewise diff{}\n\n", !gate                        ? ""
                                             : difference.within_budget() ? ": within the budget"
                                                                          : ": over the budget");
  text += fmt::format("Old: {}  \nNew: {}\n\n", EscapeMarkdown(SideLine(difference.before)),
                      EscapeMarkdown(SideLine(difference.after)));
  for (const std::string& sentence : Sentences(difference)) {
    text += fmt::format("- {}\n", EscapeMarkdown(sentence));
  }
  const Table figures = FigureTable(difference);
  if (!figures.empty()) text += "\n" + figures.Markdown();
  for (const std::string& line : BudgetLines(difference)) {
    text += fmt::format("\n- budget {}", EscapeMarkdown(line));
  }
  if (gate) text += "\n";
  const auto section = [&](std::string_view title, const Table& table) {
    if (table.empty()) return;
    text += fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n", title,
                        table.Markdown());
  };
  section("Where", GroupTable(JoinedLayers(difference.layers), "layer", true, options.verbose));
  section("By kind of op", GroupTable(difference.kinds, "kind", false, options.verbose));
  for (const auto& [title, findings] : {std::pair("Findings that came", &difference.came),
                                        {"Findings that went", &difference.went}}) {
    if (findings->empty()) continue;
    text += fmt::format("\n{}: {}\n\n", title, findings->size());
    const size_t shown = std::min(findings->size(), kShownChanges);
    for (size_t i = 0; i < shown; ++i) {
      text += fmt::format("- {}\n", EscapeMarkdown(FindingLine((*findings)[i])));
    }
  }
  return text;
}

constexpr int kDiffSchemaVersion = 1;

Json NumberOrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json SecondsOrNull(const std::optional<Seconds>& time) { return time ? Json(time->value) : Json(); }

Json SideJson(const DiffSide& side) {
  Json json = {{"name", side.name},
               {"kind", SideKindName(side.kind)},
               {"target", side.target},
               {"global_batch", side.global_batch},
               {"batch_assumed", side.batch_assumed},
               {"step_seconds", SecondsOrNull(side.step)},
               {"device_seconds", SecondsOrNull(side.device)},
               {"hbm_bytes", side.hbm ? Json(side.hbm->value) : Json()},
               {"available_bytes", side.available ? Json(side.available->value) : Json()},
               {"compile_seconds", SecondsOrNull(side.compile)},
               {"notes", side.notes}};
  return json;
}

Json GroupsJson(const std::vector<GroupDifference>& rows) {
  Json json = Json::array();
  for (const GroupDifference& row : rows) {
    json.push_back({{"name", row.name},
                    {"kind", row.kind},
                    {"before_seconds", SecondsOrNull(row.before)},
                    {"after_seconds", SecondsOrNull(row.after)},
                    {"change_seconds", row.change().value},
                    {"before_location", JsonLocation(row.before_location)},
                    {"after_location", JsonLocation(row.after_location)}});
  }
  return json;
}

std::string DifferenceJson(const Difference& difference, const RenderOptions&) {
  Json json = JsonDocument(kDiffSchemaVersion, difference.version, "diff");
  json["before"] = SideJson(difference.before);
  json["after"] = SideJson(difference.after);
  json["per_example"] = difference.per_example;
  json["no_longer_fits"] = difference.no_longer_fits;
  Json figures = Json::array();
  for (const FigureDifference& figure : difference.figures) {
    figures.push_back({{"figure", FigureKey(figure.kind)},
                       {"unit", figure.kind == FigureKind::kHbm ? "bytes" : "seconds"},
                       {"before", figure.before},
                       {"after", figure.after},
                       {"ratio", figure.ratio},
                       {"range_low", NumberOrNull(figure.range ? std::optional(figure.range->low)
                                                               : std::nullopt)},
                       {"range_high", NumberOrNull(figure.range ? std::optional(figure.range->high)
                                                                : std::nullopt)},
                       {"inside_range", figure.range ? Json(figure.inside_range) : Json()}});
  }
  json["figures"] = std::move(figures);
  json["layers"] = GroupsJson(difference.layers);
  json["kinds"] = GroupsJson(difference.kinds);
  json["came"] = JsonDiagnostics(difference.came);
  json["went"] = JsonDiagnostics(difference.went);
  Json budget = Json::array();
  for (const BudgetResult& result : difference.budget) {
    budget.push_back({{"limit", result.limit.text},
                      {"figure", FigureKey(result.limit.kind)},
                      {"known", result.known},
                      {"kept", result.kept},
                      {"allowed", result.known ? Json(result.allowed) : Json()},
                      {"found", result.known ? Json(result.found) : Json()}});
  }
  json["budget"] = std::move(budget);
  json["within_budget"] = difference.within_budget();
  return JsonText(json);
}

constexpr std::array kDifferenceFormats = {
    FormatOf<Difference>{"text", DifferenceText},
    FormatOf<Difference>{"json", DifferenceJson},
    FormatOf<Difference>{"markdown", DifferenceMarkdown},
};

}  // namespace

template <>
std::span<const FormatOf<Difference>> FormatsOf<Difference>() {
  return kDifferenceFormats;
}

}  // namespace tilewise
