// Validation as text and as Markdown: the same tables, drawn by either.

#include "report/accuracy_report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "report/markdown_text.h"
#include "report/style.h"
#include "report/table.h"

namespace tilewise {
namespace {

constexpr size_t kMostListed = 8;

std::string Percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "";
}

std::string SignedPercent(const std::optional<double>& share) {
  return share ? fmt::format("{:+.1f} %", 100 * *share) : "";
}

std::string Ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "";
}

// Four significant digits without an exponent where people would write none.
std::string Figure4(double value) {
  const double size = std::abs(value);
  if (size >= 1000 && size < 1e12) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

Table SummaryTable() {
  return Table({{"set", Align::kLeft},
                {"rows"},
                {"MAPE"},
                {"median"},
                {"bias"},
                {"Spearman"},
                {"memory"},
                {"regret"}});
}

std::vector<std::string> SummaryRow(const std::string& name, const ErrorSummary& errors,
                                    const std::optional<double>& spearman) {
  return {name,
          std::to_string(errors.n),
          Percent(errors.mape),
          Percent(errors.median_ape),
          SignedPercent(errors.bias),
          Ratio(spearman),
          "",
          ""};
}

void AddTarget(Table& table, const SetDefaults& set) {
  if (!set.target_mape && !set.target_median_ape && !set.target_spearman && !set.target_regret) {
    return;
  }
  table.AddRow({"  to reach", "", Percent(set.target_mape), Percent(set.target_median_ape), "",
                Ratio(set.target_spearman), "", Percent(set.target_regret)});
}

Table SetTable(const SetAccuracy& set) {
  Table table = SummaryTable();
  std::vector<std::string> total = SummaryRow(set.name, set.errors, set.spearman);
  total[6] =
      set.oom_accuracy ? fmt::format("{:.2f} % of {}", 100 * *set.oom_accuracy, set.oom_rows) : "";
  total[7] = set.regret ? fmt::format("{:.2f} %", 100 * *set.regret) : "";
  table.AddRow(total);
  AddTarget(table, set.published);
  for (const Peer& peer : set.published.peers) {
    table.AddRow({"  " + peer.who, "", Percent(peer.mape), Percent(peer.median_ape), "", "", "",
                  peer.regret ? fmt::format("{:.2f} %", 100 * *peer.regret) : ""});
  }
  for (const GroupAccuracy& group : set.groups) {
    table.AddRow(SummaryRow("- " + group.name, group.errors, group.spearman));
  }
  if (set.uncounted) {
    table.AddRow(
        SummaryRow("- " + set.uncounted->name, set.uncounted->errors, set.uncounted->spearman));
  }
  return table;
}

Table WorstTable(const SetAccuracy& set) {
  Table table({{"furthest off", Align::kLeft},
               {"measured"},
               {"simulated"},
               {"unit", Align::kLeft},
               {"error"}});
  for (const size_t i : set.worst) {
    const ComparedRow& row = set.comparisons[i];
    table.AddRow({row.point.label, Figure4(row.point.figure.value), Figure4(row.prediction->value),
                  row.point.figure.unit, SignedPercent(row.pair().error())});
  }
  return table;
}

Table RowTable(const SetAccuracy& set) {
  Table table({{"row", Align::kLeft},
               {"measured"},
               {"simulated"},
               {"unit", Align::kLeft},
               {"error"},
               {"spec", Align::kLeft}});
  for (const ComparedRow& row : set.comparisons) {
    if (!row.prediction) continue;
    const bool ran = !row.point.out_of_memory;
    const bool error = ran && row.point.figure.value > 0;
    table.AddRow({row.point.label, ran ? Figure4(row.point.figure.value) : "out of memory",
                  row.prediction->fits ? Figure4(row.prediction->value) : "out of memory",
                  row.point.figure.unit, error ? SignedPercent(row.pair().error()) : "",
                  row.point.spec});
  }
  return table;
}

// Reasons with their rows, most frequent reasons first.
Table SkippedTable(const SetAccuracy& set, bool verbose) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const ComparedRow& row : set.comparisons) {
    if (!row.prediction) by_reason[row.not_simulated].push_back(row.point.label);
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> sorted(by_reason.begin(),
                                                                       by_reason.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  Table table({{"not simulated", Align::kLeft}, {"rows"}, {"", Align::kLeft}});
  for (auto& [reason, labels] : sorted) {
    const size_t all = labels.size();
    const size_t most = verbose ? all : kMostListed;
    if (all > most) labels.resize(most);
    table.AddRow({reason, std::to_string(all),
                  fmt::format("{}{}", fmt::join(labels, ", "), all > most ? ", ..." : "")});
  }
  return table;
}

// The tables of a set in order, empty ones left out.
std::vector<Table> TablesOf(const SetAccuracy& set, const RenderOptions& options) {
  std::vector<Table> tables = {SetTable(set)};
  for (Table table :
       {options.verbose ? RowTable(set) : WorstTable(set), SkippedTable(set, options.verbose)}) {
    if (!table.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

std::string MemoryLine(const SetAccuracy& set) {
  if (set.wrong_memory.empty()) return "";
  std::vector<std::string> labels = set.wrong_memory;
  const size_t all = labels.size();
  if (all > kMostListed) labels.resize(kMostListed);
  return fmt::format("memory verdict wrong in {}: {}{}\n", all, fmt::join(labels, "; "),
                     all > kMostListed ? "; ..." : "");
}

std::string WindowLine(const SetAccuracy& set) {
  if (set.window_rows == 0) return "";
  return fmt::format(
      "windows as the compiler chose in {} of {} ({:.0f} %)\n", set.same_windows, set.window_rows,
      100 * static_cast<double>(set.same_windows) / static_cast<double>(set.window_rows));
}

std::string AccuracyText(const AccuracyReport& report, const RenderOptions& options) {
  const Style style(options.color);
  std::string text;
  for (const SetAccuracy& set : report.sets) {
    if (!text.empty()) text += "\n";
    bool first = true;
    for (const Table& table : TablesOf(set, options)) {
      const std::string drawn = table.Text(first ? "" : "  ");
      const size_t line = drawn.find('\n');
      text += style.Bold(drawn.substr(0, line)) + drawn.substr(line);
      first = false;
    }
    text += MemoryLine(set) + WindowLine(set);
  }
  return text;
}

std::string AccuracyMarkdown(const AccuracyReport& report, const RenderOptions& options) {
  std::string text;
  for (const SetAccuracy& set : report.sets) {
    text += fmt::format("{}### {}\n\n", text.empty() ? "" : "\n", EscapeMarkdown(set.name));
    if (!set.published.source.empty() && set.published.name == set.name) {
      text += EscapeMarkdown(set.published.source) + ".\n\n";
    }
    bool first = true;
    for (const Table& table : TablesOf(set, options)) {
      text += (first ? "" : "\n") + table.Markdown();
      first = false;
    }
    for (const std::string& line : {MemoryLine(set), WindowLine(set)}) {
      if (!line.empty()) text += "\n" + EscapeMarkdown(line) + "\n";
    }
  }
  return text;
}

constexpr AccuracyFormat kAccuracyFormats[] = {
    {"text", AccuracyText}, {"json", RenderAccuracyJson}, {"markdown", AccuracyMarkdown}};

}  // namespace

std::span<const AccuracyFormat> AccuracyFormats() { return kAccuracyFormats; }

const AccuracyFormat* FindAccuracyFormat(std::string_view name) {
  for (const AccuracyFormat& format : kAccuracyFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace tilewise
