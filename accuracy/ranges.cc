// Ranges are quantiles of measured over simulated figures, as order statistics:
// of n figures and one more, nine of ten lie between the ranks 0.05 (n + 1) and
// 0.95 (n + 1). Figures of a source share a part rho of their variance, so that n
// of them tell as much as n / (1 + (n - 1) rho) of sources of their own (Kish's
// design effect), which is what they weigh. Below nineteen such figures the
// extremes hold less, and figures of more chips or kinds are taken instead. How
// sure a step is that is made to fit is a share of verdicts, by the rule of
// succession.

#include "accuracy/ranges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "accuracy/csv.h"
#include "accuracy/statistics.h"
#include "base/check.h"

namespace tilewise {
namespace {

constexpr double kLeastFigures = 19;
constexpr double kLeastHeld = 0.85;
constexpr char kOfAll[] = "all";
constexpr char kRangesFile[] = "ranges.csv";
constexpr char kMadeToFit[] = "made to fit";

// Quantity, kind of work, chip.
using RangeKey = std::tuple<std::string, std::string, std::string>;

struct Ratio {
  std::string source;
  double measured_over_simulated = 1;
};
using Ratios = std::map<RangeKey, std::vector<Ratio>>;

// A row's figure with the narrowest range that it counts for.
struct RowFigure {
  RangeKey key;
  Ratio ratio;
  std::string set, kind_of_row;
  bool of_one_model = false;  // no range is made of it
};

std::string_view MemoryKind(bool loops) { return loops ? "loop over layers" : "written out"; }

// A figure counts for its kind on its chip, its kind and all, and a report looks for them in that
// order.
std::array<RangeKey, 3> WideningKeys(const RangeKey& key) {
  const auto& [quantity, kind, chip] = key;
  return {key, RangeKey(quantity, kind, kOfAll), RangeKey(quantity, kOfAll, kOfAll)};
}

// A table of HBM with rows of one source is of one model: ranges are held against it (RESULTS.md),
// not made of it, as its rows would outnumber all others.
bool IsOfOneModel(const SetAccuracy& set) {
  return set.kind == "memory" && std::ranges::all_of(set.comparisons, [&](const ComparedRow& row) {
           return !row.point.source.empty() &&
                  row.point.source == set.comparisons.front().point.source;
         });
}

std::optional<RowFigure> FigureOfRow(const SetAccuracy& set, const ComparedRow& row) {
  const Point& point = row.point;
  if (!row.prediction || !point.counted || !point.has_figure()) return std::nullopt;
  // Runs from end to end are no steps.
  if (point.clock == Clock::kRun) return std::nullopt;
  const Pair pair = row.pair();
  if (pair.simulated <= 0 || pair.measured <= 0) return std::nullopt;
  RowFigure figure;
  figure.ratio = {point.source.empty() ? set.name : point.source, pair.measured / pair.simulated};
  figure.set = set.name;
  figure.of_one_model = IsOfOneModel(set);
  // Tables may call a chip by another of its names than reports do.
  const std::string& chip = row.prediction->chip;
  if (point.figure.quantity == Quantity::kPeak) {
    figure.kind_of_row = MemoryKind(row.prediction->loops_over_layers);
    figure.key = {"memory", figure.kind_of_row, chip};
    return figure;
  }
  // Single kernels are no steps, and a step that waits for its host tells nothing of the device,
  // whose time is what reports give a range for.
  if (set.kind != "measurements" && set.kind != "paradnn") return std::nullopt;
  if (row.prediction->bound == "host") return std::nullopt;
  if (point.figure.quantity != Quantity::kTime) {
    figure.ratio.measured_over_simulated = 1 / figure.ratio.measured_over_simulated;
  }
  figure.kind_of_row = point.group;
  figure.key = {"time", row.prediction->bound, chip};
  return figure;
}

std::vector<RowFigure> FiguresOf(std::span<const SetAccuracy> sets) {
  std::vector<RowFigure> figures;
  for (const SetAccuracy& set : sets) {
    for (const ComparedRow& row : set.comparisons) {
      if (std::optional<RowFigure> figure = FigureOfRow(set, row)) figures.push_back(*figure);
    }
  }
  return figures;
}

// Programs that are made to fit, by source: how many there are and how many ran.
struct Verdicts {
  int64_t rows = 0, ran = 0;

  Verdicts operator-(const Verdicts& other) const { return {rows - other.rows, ran - other.ran}; }
  double certainty() const { return static_cast<double>(ran + 1) / static_cast<double>(rows + 2); }
  // How much of their verdicts is right with this certainty.
  double RightParts(double with_certainty) const {
    return static_cast<double>(ran) * RightPart(with_certainty, true) +
           static_cast<double>(rows - ran) * RightPart(with_certainty, false);
  }
};

std::map<std::string, Verdicts> MadeToFit(std::span<const SetAccuracy> sets) {
  std::map<std::string, Verdicts> by_source;
  for (const SetAccuracy& set : sets) {
    if (set.kind != "memory" || IsOfOneModel(set)) continue;
    for (const ComparedRow& row : set.comparisons) {
      if (!row.prediction || !row.point.counted || !row.prediction->made_to_fit) continue;
      Verdicts& verdicts = by_source[row.point.source];
      ++verdicts.rows;
      verdicts.ran += row.point.ran() ? 1 : 0;
    }
  }
  return by_source;
}

// `low` and `high`: how sure it would be without one of the sources. `held`: how
// much of the verdicts is right with what the other sources alone give.
std::string MadeToFitLine(const std::map<std::string, Verdicts>& by_source) {
  Verdicts all;
  for (const auto& [source, verdicts] : by_source) {
    all.rows += verdicts.rows;
    all.ran += verdicts.ran;
  }
  if (all.rows == 0) return "";
  double low = 1, high = 0, held = 0;
  for (const auto& [source, verdicts] : by_source) {
    const double without = (all - verdicts).certainty();
    low = std::min(low, without);
    high = std::max(high, without);
    held += verdicts.RightParts(without);
  }
  return fmt::format("{},{},{},{},,{:.3f},,,{:.3f},{:.2f},{:.3f}\n", kMadeToFit, kOfAll, kOfAll,
                     all.rows, low, high, held / static_cast<double>(all.rows), all.certainty());
}

// Figures by who measured them.
std::map<std::string, std::vector<double>> BySource(const std::vector<Ratio>& ratios,
                                                    const std::string& without) {
  std::map<std::string, std::vector<double>> by_source;
  for (const Ratio& ratio : ratios) {
    if (ratio.source != without) by_source[ratio.source].push_back(ratio.measured_over_simulated);
  }
  return by_source;
}

// How many figures of sources of their own the figures tell as much as.
double CountAs(const std::map<std::string, std::vector<double>>& by_source, double shared_part) {
  double count = 0;
  for (const auto& [source, values] : by_source) {
    count += static_cast<double>(values.size()) * WeightInGroup(values.size(), shared_part);
  }
  return count;
}

struct Weighted {
  double value = 1, weight = 1;
};

// The value of a rank, linear between those next to it; the first and the last beyond them.
double ValueAt(double rank, const std::vector<Weighted>& values) {
  double reached = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double before = reached;
    reached += values[i].weight;
    if (reached < rank) continue;
    if (i == 0) return values[i].value;
    const double part = (rank - before) / values[i].weight;
    return values[i - 1].value + part * (values[i].value - values[i - 1].value);
  }
  return values.back().value;
}

ErrorRange RangeOver(const std::map<std::string, std::vector<double>>& by_source,
                     std::optional<double> shared_part) {
  std::vector<Weighted> values;
  for (const auto& [source, of_source] : by_source) {
    const double weight = WeightInGroup(of_source.size(), shared_part.value_or(0));
    for (const double value : of_source) values.push_back({value, weight});
  }
  const double ranks = CountAs(by_source, shared_part.value_or(0)) + 1;
  // What the figures share is not known: ranks are rounded outwards.
  const auto from_below = [&](double share) {
    return ValueAt(shared_part ? share * ranks : std::floor(share * ranks), values);
  };
  std::ranges::stable_sort(values, std::less(), &Weighted::value);
  ErrorRange range = {.low = from_below(ErrorRange::kOutside),
                      .lower_third = from_below(ErrorRange::kThird),
                      .rows = static_cast<int64_t>(values.size())};
  std::ranges::reverse(values);
  range.high = from_below(ErrorRange::kOutside);
  range.upper_third = from_below(ErrorRange::kThird);
  return range;
}

// Each source held against the range that the others give.
double HeldShare(const std::vector<Ratio>& ratios, std::optional<double> shared_part) {
  size_t held = 0, counted = 0;
  for (const auto& [source, values] : BySource(ratios, "")) {
    const auto others = BySource(ratios, source);
    if (others.empty()) continue;
    const ErrorRange range = RangeOver(others, shared_part);
    counted += values.size();
    held += static_cast<size_t>(std::ranges::count_if(
        values, [&range](double value) { return value >= range.low && value <= range.high; }));
  }
  return counted == 0 ? 0 : static_cast<double>(held) / static_cast<double>(counted);
}

// The part of the variance that figures of one source share. None where so few sources measured
// that they tell no range when weighed by it: then all figures count alike.
std::optional<double> SharedPartOf(const std::vector<Ratio>& ratios) {
  std::vector<std::vector<double>> groups;
  const auto by_source = BySource(ratios, "");
  for (const auto& [source, values] : by_source) {
    std::vector<double>& logarithms = groups.emplace_back();
    for (const double value : values) logarithms.push_back(std::log(value));
  }
  const std::optional<double> shared = SharedPart(groups);
  return shared && CountAs(by_source, *shared) < kLeastFigures ? std::nullopt : shared;
}

struct PublishedRanges {
  std::map<RangeKey, ErrorRange> ranges;
  std::optional<double> made_to_fit;
};

PublishedRanges ReadRanges() {
  PublishedRanges published;
  const std::string_view text = PublishedText(kRangesFile);
  if (text.empty()) return published;
  const absl::StatusOr<Csv> csv = Csv::Parse(kRangesFile, text);
  TW_CHECK(csv.ok());
  for (size_t row = 0; row < csv->rows(); ++row) {
    const auto number = [&](const char* column) {
      return ParseNumber(csv->Cell(row, column)).value_or(1);
    };
    if (csv->Cell(row, "quantity") == kMadeToFit) {
      published.made_to_fit = ParseNumber(csv->Cell(row, "certainty"));
      continue;
    }
    published.ranges[{csv->Cell(row, "quantity"), csv->Cell(row, "kind"), csv->Cell(row, "chip")}] =
        {number("low"), number("high"), number("lower_third"), number("upper_third"),
         static_cast<int64_t>(number("rows"))};
  }
  return published;
}

const PublishedRanges& Published() {
  static const PublishedRanges published = ReadRanges();
  return published;
}

std::optional<ErrorRange> FindRange(const std::string& quantity, std::string_view kind,
                                    std::string_view chip) {
  const std::map<RangeKey, ErrorRange>& ranges = Published().ranges;
  for (const RangeKey& key : WideningKeys({quantity, std::string(kind), std::string(chip)})) {
    if (const auto found = ranges.find(key); found != ranges.end()) return found->second;
  }
  return std::nullopt;
}

struct FormedRange {
  ErrorRange range;
  double count_as = 0;  // see CountAs
  double held = 0;      // see HeldShare
};
using FormedRanges = std::map<RangeKey, FormedRange>;

// The ranges that reports would have without the figures of one source; "": of all sources.
FormedRanges FormRanges(const std::vector<RowFigure>& figures, const std::string& without) {
  Ratios ratios;
  for (const RowFigure& figure : figures) {
    if (figure.of_one_model || figure.ratio.source == without) continue;
    for (const RangeKey& key : WideningKeys(figure.key)) ratios[key].push_back(figure.ratio);
  }
  std::map<std::string, std::optional<double>> shared_parts;  // by quantity
  for (const auto& [key, values] : ratios) {
    if (std::get<1>(key) == kOfAll) shared_parts[std::get<0>(key)] = SharedPartOf(values);
  }
  FormedRanges formed;
  for (const auto& [key, values] : ratios) {
    const std::optional<double> shared = shared_parts[std::get<0>(key)];
    const double held = HeldShare(values, shared);
    const auto by_source = BySource(values, "");
    const double count_as = CountAs(by_source, shared.value_or(0));
    const bool is_narrow = std::get<1>(key) != kOfAll;
    if (is_narrow && (count_as < kLeastFigures || held < kLeastHeld)) continue;
    formed[key] = {RangeOver(by_source, shared), count_as, held};
  }
  return formed;
}

// The range that a report gives a figure; null: none.
const ErrorRange* RangeFor(const FormedRanges& ranges, const RowFigure& figure) {
  for (const RangeKey& key : WideningKeys(figure.key)) {
    if (const auto found = ranges.find(key); found != ranges.end()) return &found->second.range;
  }
  return nullptr;
}

}  // namespace

std::optional<ErrorRange> TimeRange(std::string_view part, std::string_view chip) {
  return FindRange("time", part, chip);
}

std::optional<ErrorRange> MemoryRange(bool loops_over_layers, std::string_view chip) {
  std::optional<ErrorRange> range = FindRange("memory", MemoryKind(loops_over_layers), chip);
  if (range) range->made_to_fit = Published().made_to_fit;
  return range;
}

std::string RangesTable(std::span<const SetAccuracy> sets) {
  std::string text =
      "quantity,kind,chip,rows,count_as,low,lower_third,upper_third,high,held,certainty\n";
  for (const auto& [key, formed] : FormRanges(FiguresOf(sets), "")) {
    const auto& [quantity, kind, chip] = key;
    const ErrorRange& range = formed.range;
    text += fmt::format("{},{},{},{},{:.1f},{:.3f},{:.3f},{:.3f},{:.3f},{:.2f},\n", quantity, kind,
                        chip, range.rows, formed.count_as, range.low, range.lower_third,
                        range.upper_third, range.high, formed.held);
  }
  return text + MadeToFitLine(MadeToFit(sets));
}

std::vector<HeldFigures> FiguresHeld(std::span<const SetAccuracy> sets) {
  const std::vector<RowFigure> figures = FiguresOf(sets);
  std::map<std::string, FormedRanges> without;  // by source
  std::vector<HeldFigures> held;
  std::map<std::string, size_t> places;  // in `held`, by name
  const auto count = [&](const std::string& name, bool holds, double width) {
    const auto [place, is_new] = places.try_emplace(name, held.size());
    if (is_new) held.push_back({name});
    HeldFigures& here = held[place->second];
    ++here.figures;
    here.held += holds ? 1 : 0;
    here.width_log += width;
  };
  struct OfKind {
    std::string name;
    bool holds = false;
    double width = 0;
  };
  std::vector<OfKind> of_kinds;
  for (const RowFigure& figure : figures) {
    const std::string& source = figure.ratio.source;
    const auto [ranges, is_new] = without.try_emplace(source);
    if (is_new) ranges->second = FormRanges(figures, source);
    const ErrorRange* range = RangeFor(ranges->second, figure);
    if (range == nullptr) continue;
    const double value = figure.ratio.measured_over_simulated;
    const bool holds = value >= range->low && value <= range->high;
    const double width = std::log(range->high / range->low);
    const bool has_kind = !figure.kind_of_row.empty();
    count(has_kind ? figure.set + ": " + figure.kind_of_row : figure.set, holds, width);
    if (has_kind) of_kinds.push_back({"all: " + figure.kind_of_row, holds, width});
  }
  for (const OfKind& of : of_kinds) count(of.name, of.holds, of.width);
  return held;
}

double HeldFigures::mean_width() const {
  return figures == 0 ? 1 : std::exp(width_log / static_cast<double>(figures));
}

}  // namespace tilewise
