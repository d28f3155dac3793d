// Validation as text and as Markdown: the same tables, drawn by either. In JSON
// errors and shares are 0..1; what a set does not tell is null.

#include "report/accuracy_report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "report/json.h"
#include "report/text.h"

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
  for (const GroupAccuracy& group : set.held_out) {
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
               {"fit certainty"},
               {"spec", Align::kLeft}});
  for (const ComparedRow& row : set.comparisons) {
    if (!row.prediction) continue;
    const bool ran = row.point.has_figure() || !row.point.out_of_memory;
    const bool is_peak = row.point.figure.quantity == Quantity::kPeak;
    const bool tells_memory = is_peak || row.point.figure.quantity == Quantity::kFits;
    const bool error = ran && row.point.figure.value > 0;
    table.AddRow(
        {row.point.label, ran ? Figure4(row.point.figure.value) : "out of memory",
         is_peak || row.prediction->fits ? Figure4(row.prediction->value) : "out of memory",
         row.point.figure.unit, error ? SignedPercent(row.pair().error()) : "",
         tells_memory ? Percent(row.prediction->fit_certainty) : "", row.point.spec});
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

std::string Listed(std::vector<std::string> labels) {
  const size_t all = labels.size();
  if (all > kMostListed) labels.resize(kMostListed);
  return fmt::format("{}: {}{}", all, fmt::join(labels, "; "), all > kMostListed ? "; ..." : "");
}

std::string MemoryLine(const SetAccuracy& set) {
  if (set.wrong_memory.empty()) return "";
  const std::string found = set.failures == 0 ? ""
                                              : fmt::format("; found {} of {} that did not fit",
                                                            set.failures_found, set.failures);
  return fmt::format("memory verdict wrong in {}{}", Listed(set.wrong_memory), found);
}

// The verdicts of reports, with their certainty.
std::string CloseMemoryLine(const SetAccuracy& set) {
  if (set.close_memory.empty()) return "";
  const double ran = static_cast<double>(set.oom_rows - set.failures);
  return fmt::format(
      "memory verdict too close to tell in {}; with these as half a right one {:.1f} of {} are "
      "right: {:.1f} of {:.0f} that fit, {:.1f} of {} that did not",
      Listed(set.close_memory), set.right_or_half, set.oom_rows,
      set.right_or_half - set.failures_or_half, ran, set.failures_or_half, set.failures);
}

std::string WindowLine(const SetAccuracy& set) {
  if (set.window_rows == 0) return "";
  return fmt::format(
      "windows as the compiler chose in {} of {} ({:.0f} %)", set.same_windows, set.window_rows,
      100 * static_cast<double>(set.same_windows) / static_cast<double>(set.window_rows));
}

std::string VariantLine(const SetAccuracy& set) {
  const VariantAccuracy& variants = set.variants;
  if (variants.pairs == 0) return "";
  std::string line = fmt::format(
      "variants of one source in the measured order in {} of {} pairs ({}); ratios to the first "
      "of the same machine and data: median error {} of {}",
      variants.in_order, variants.pairs, Percent(variants.order()),
      Percent(variants.ratios.median_ape), variants.ratios.n);
  if (variants.held_out_pairs > 0) {
    line += fmt::format("; held out: {} of {} pairs, {} of {} ratios", variants.held_out_in_order,
                        variants.held_out_pairs, Percent(variants.held_out_ratios.median_ape),
                        variants.held_out_ratios.n);
  }
  return line;
}

constexpr char kHeldTitle[] = "Ranges of other sources";

Table HeldTable(const std::vector<HeldFigures>& held) {
  Table table({{"figures of", Align::kLeft}, {"figures"}, {"held"}, {"high / low"}});
  for (const HeldFigures& of : held) {
    const double share = static_cast<double>(of.held) / static_cast<double>(of.figures);
    table.AddRow({of.name, std::to_string(of.figures), fmt::format("{:.0f} %", 100 * share),
                  fmt::format("{:.2f}", of.mean_width())});
  }
  return table;
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
    for (const std::string& line :
         {MemoryLine(set), CloseMemoryLine(set), WindowLine(set), VariantLine(set)}) {
      if (!line.empty()) text += line + "\n";
    }
  }
  if (!report.held.empty()) {
    text += fmt::format("\n{}\n{}", style.Bold(kHeldTitle), HeldTable(report.held).Text("  "));
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
    for (const std::string& line :
         {MemoryLine(set), CloseMemoryLine(set), WindowLine(set), VariantLine(set)}) {
      if (!line.empty()) text += "\n" + EscapeMarkdown(line) + "\n";
    }
  }
  if (!report.held.empty()) {
    text += fmt::format(
        "\n### {}\n\nHow many figures lie in the range that a report would give if no figure of "
        "their source were known.\n\n{}",
        kHeldTitle, HeldTable(report.held).Markdown());
  }
  return text;
}

constexpr int kValidateSchemaVersion = 1;

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json ErrorsJson(const std::string& name, const ErrorSummary& errors,
                const std::optional<double>& spearman) {
  return {{"name", name},
          {"n", errors.n},
          {"mape", OrNull(errors.mape)},
          {"median_ape", OrNull(errors.median_ape)},
          {"bias", OrNull(errors.bias)},
          {"spearman", OrNull(spearman)}};
}

Json RowJson(const ComparedRow& row) {
  const Point& point = row.point;
  Json json = {{"workload", point.label},
               {"line", point.line},
               {"group", point.group},
               {"spec", point.spec},
               {"unit", point.figure.unit}};
  if (!point.mesh.empty()) json["mesh"] = point.mesh;
  if (!point.assumed.empty()) json["assumed"] = point.assumed;
  if (!row.prediction) {
    json["not_simulated"] = row.not_simulated;
    return json;
  }
  json["counted"] = point.counted;
  json["steps"] = point.figure.steps;
  json["evaluations"] = point.figure.evaluations;
  json["fits"] = row.prediction->fits;
  json["simulated"] = row.prediction->value;
  json["bound"] = row.prediction->bound;
  json["device_seconds"] = row.prediction->device.value;
  if (point.out_of_memory && !point.has_figure()) {
    json["measured"] = "out of memory";
  } else {
    json["measured"] = point.figure.value;
    if (point.figure.value > 0) json["error"] = row.pair().error();
  }
  return json;
}

Json WorstJson(const SetAccuracy& set) {
  Json rows = Json::array();
  for (const size_t i : set.worst) {
    const ComparedRow& row = set.comparisons[i];
    rows.push_back({{"workload", row.point.label},
                    {"line", row.point.line},
                    {"unit", row.point.figure.unit},
                    {"measured", row.point.figure.value},
                    {"simulated", row.prediction->value},
                    {"error", row.pair().error()}});
  }
  return rows;
}

Json SkippedJson(const SetAccuracy& set) {
  Json rows = Json::array();
  for (const ComparedRow& row : set.comparisons) {
    if (row.prediction) continue;
    rows.push_back(
        {{"workload", row.point.label}, {"line", row.point.line}, {"reason", row.not_simulated}});
  }
  return rows;
}

Json PeersJson(const SetAccuracy& set) {
  Json peers = Json::array();
  for (const Peer& peer : set.published.peers) {
    peers.push_back({{"who", peer.who},
                     {"mape", OrNull(peer.mape)},
                     {"median_ape", OrNull(peer.median_ape)},
                     {"regret", OrNull(peer.regret)},
                     {"note", peer.note}});
  }
  return peers;
}

Json SetJson(const SetAccuracy& set, bool verbose) {
  Json json = ErrorsJson(set.name, set.errors, set.spearman);
  json["kind"] = set.kind;
  json["rows"] = set.rows;
  json["least_group_spearman"] = OrNull(set.least_group_spearman);
  json["oom_accuracy"] = OrNull(set.oom_accuracy);
  json["oom_rows"] = set.oom_rows;
  json["oom_wrong"] = set.wrong_memory;
  json["oom_too_close"] = set.close_memory;
  json["oom_right_or_half"] = set.right_or_half;
  json["oom_failures_right_or_half"] = set.failures_or_half;
  json["oom_failures"] = set.failures;
  json["oom_failures_found"] = set.failures_found;
  json["regret"] = OrNull(set.regret);
  json["oom_choices"] = set.oom_choices;
  json["window_rows"] = set.window_rows;
  json["same_windows"] =
      set.window_rows > 0
          ? Json(static_cast<double>(set.same_windows) / static_cast<double>(set.window_rows))
          : Json(nullptr);
  json["variant_order"] = OrNull(set.variants.order());
  json["variant_pairs"] = set.variants.pairs;
  json["variant_ratio_median_ape"] = OrNull(set.variants.ratios.median_ape);
  json["variant_ratios"] = set.variants.ratios.n;
  json["variant_held_out_pairs"] = set.variants.held_out_pairs;
  json["variant_held_out_in_order"] = set.variants.held_out_in_order;
  json["variant_held_out_ratio_median_ape"] = OrNull(set.variants.held_out_ratios.median_ape);
  json["variant_held_out_ratios"] = set.variants.held_out_ratios.n;
  json["target"] = {{"mape", OrNull(set.published.target_mape)},
                    {"median_ape", OrNull(set.published.target_median_ape)},
                    {"spearman", OrNull(set.published.target_spearman)},
                    {"regret", OrNull(set.published.target_regret)}};
  json["worst"] = WorstJson(set);
  Json& groups = json["groups"] = Json::array();
  for (const GroupAccuracy& group : set.groups) {
    groups.push_back(ErrorsJson(group.name, group.errors, group.spearman));
  }
  Json& held_out = json["held_out"] = Json::array();
  for (const GroupAccuracy& group : set.held_out) {
    held_out.push_back(ErrorsJson(group.name, group.errors, group.spearman));
  }
  json["uncounted"] = set.uncounted ? ErrorsJson(set.uncounted->name, set.uncounted->errors,
                                                 set.uncounted->spearman)
                                    : Json(nullptr);
  json["not_simulated"] = SkippedJson(set);
  json["peers"] = PeersJson(set);
  if (!verbose) return json;
  Json& rows = json["all"] = Json::array();
  for (const ComparedRow& row : set.comparisons) rows.push_back(RowJson(row));
  return json;
}

std::string AccuracyJson(const AccuracyReport& report, const RenderOptions& options) {
  Json json = JsonDocument(kValidateSchemaVersion, report.version, "validate");
  Json& sets = json["sets"] = Json::array();
  for (const SetAccuracy& set : report.sets) {
    sets.push_back(SetJson(set, options.verbose));
  }
  if (!report.held.empty()) {
    Json& held = json["ranges_held"] = Json::array();
    for (const HeldFigures& of : report.held) {
      held.push_back({{"name", of.name},
                      {"figures", of.figures},
                      {"held", of.held},
                      {"mean_width", of.mean_width()}});
    }
  }
  return JsonText(json);
}

}  // namespace

template <>
std::span<const FormatOf<AccuracyReport>> FormatsOf<AccuracyReport>() {
  static constexpr FormatOf<AccuracyReport> kFormats[] = {
      {"text", AccuracyText}, {"json", AccuracyJson}, {"markdown", AccuracyMarkdown}};
  return kFormats;
}

}  // namespace tilewise
