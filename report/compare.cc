// Puts two sides next to each other: figures, layers by name, kinds of ops,
// findings by what they are about; and holds them against a budget.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "report/difference.h"

namespace tilewise {
namespace {

// Two predictions are the same below this share: what is printed rounds it away.
constexpr double kRounding = 0.0005;

// Half of the interval of nine in ten ratios, as a logarithm.
double HalfWidth(const std::optional<ErrorRange>& range) {
  if (!range || range->low <= 0 || range->high <= range->low) return 0;
  return std::log(range->high / range->low) / 2;
}

// Takes both sides as if they erred independently: what they share makes the range smaller.
std::optional<ErrorRange> RangeOfRatio(const std::optional<ErrorRange>& before,
                                       const std::optional<ErrorRange>& after) {
  if (!before && !after) return std::nullopt;
  const double half = std::hypot(HalfWidth(before), HalfWidth(after));
  ErrorRange range;
  range.low = std::exp(-half);
  range.high = std::exp(half);
  return range;
}

// A prediction against a measurement: where measured figures lie, as they are.
std::optional<ErrorRange> RangeOf(const DiffSide& a, const DiffSide& b,
                                  const std::optional<ErrorRange>& of_a,
                                  const std::optional<ErrorRange>& of_b) {
  const bool predicted_a = a.kind == SideKind::kPrediction;
  const bool predicted_b = b.kind == SideKind::kPrediction;
  if (predicted_a && !predicted_b && of_a) return of_a;
  if (predicted_b && !predicted_a && of_b) {
    ErrorRange inverse;
    inverse.low = 1 / std::max(of_b->high, 1e-9);
    inverse.high = 1 / std::max(of_b->low, 1e-9);
    return inverse;
  }
  return RangeOfRatio(of_a, of_b);
}

void AddFigure(FigureKind kind, std::optional<double> before, std::optional<double> after,
               double scale, const std::optional<ErrorRange>& range, Difference& difference) {
  if (!before || !after || *before <= 0) return;
  FigureDifference figure;
  figure.kind = kind;
  figure.before = *before;
  figure.after = *after;
  figure.ratio = *after * scale / *before;
  figure.range = range;
  figure.inside_range = range && figure.ratio >= range->low && figure.ratio <= range->high;
  difference.figures.push_back(figure);
}

std::optional<double> ValueOf(const std::optional<Seconds>& time) {
  return time ? std::optional(time->value) : std::nullopt;
}

std::optional<double> ValueOf(const std::optional<Bytes>& bytes) {
  return bytes ? std::optional(static_cast<double>(bytes->value)) : std::nullopt;
}

template <class NameOf>
std::vector<GroupDifference> CompareGroups(const DiffSide& before, const DiffSide& after,
                                           double scale, NameOf name_of) {
  if (before.groups.empty() || after.groups.empty()) return {};
  std::map<std::string, GroupDifference> rows;
  const auto add = [&](const SideGroup& group, std::optional<Seconds> GroupDifference::*time,
                       Location GroupDifference::*place, double factor) {
    const std::string name = name_of(group);
    GroupDifference& row = rows[name];
    row.name = name;
    if (row.kind.empty()) row.kind = group.kind;
    row.*time = (row.*time).value_or(Seconds{}) + group.time * factor;
    if (!(row.*place).known()) row.*place = group.location;
  };
  for (const SideGroup& group : before.groups) {
    add(group, &GroupDifference::before, &GroupDifference::before_location, 1);
  }
  for (const SideGroup& group : after.groups) {
    add(group, &GroupDifference::after, &GroupDifference::after_location, scale);
  }
  // Names of a program and of its run are seldom the same: what one side alone has
  // tells nothing there.
  if (IsProgramAndRun(before, after)) {
    std::erase_if(rows, [](const auto& row) { return !row.second.before || !row.second.after; });
  }
  std::vector<GroupDifference> changed;
  for (auto& [name, row] : rows) {
    const Seconds larger = std::max(row.before.value_or(Seconds{}), row.after.value_or(Seconds{}));
    if (std::abs(row.change().value) > kRounding * larger.value) changed.push_back(std::move(row));
  }
  std::stable_sort(changed.begin(), changed.end(),
                   [](const GroupDifference& a, const GroupDifference& b) {
                     return std::abs(a.change().value) > std::abs(b.change().value);
                   });
  return changed;
}

// Returns those of `here` that `there` has not; of equal ones as many as are more.
std::vector<Diagnostic> OnlyIn(const std::vector<SideFinding>& here,
                               const std::vector<SideFinding>& there) {
  std::map<std::string_view, int64_t> known;
  for (const SideFinding& finding : there) ++known[finding.key];
  std::vector<Diagnostic> only;
  for (const SideFinding& finding : here) {
    if (--known[finding.key] < 0) only.push_back(finding.finding);
  }
  return only;
}

BudgetResult Check(const BudgetLimit& limit, const Difference& difference) {
  BudgetResult result;
  result.limit = limit;
  const FigureDifference* figure = difference.Find(limit.kind);
  if (figure == nullptr) {
    result.known = result.kept = false;
    return result;
  }
  result.found = figure->before * figure->ratio;
  result.allowed =
      limit.share ? figure->before * (1 + *limit.share) : figure->before + limit.amount;
  // Rounding of sums is no regression.
  result.kept = result.found <= result.allowed * (1 + 1e-9);
  return result;
}

}  // namespace

std::string_view SideKindName(SideKind kind) {
  switch (kind) {
    case SideKind::kPrediction:
      return "prediction";
    case SideKind::kLog:
      return "log";
    case SideKind::kProfile:
      return "profile";
  }
  return "";
}

std::string_view FigureKey(FigureKind kind) {
  switch (kind) {
    case FigureKind::kStep:
      return "step";
    case FigureKind::kDevice:
      return "device";
    case FigureKind::kHbm:
      return "hbm";
    case FigureKind::kCompile:
      return "compile";
  }
  return "";
}

bool FigureDifference::changed() const { return std::abs(ratio - 1) > kRounding; }

const FigureDifference* Difference::Find(FigureKind kind) const {
  const auto found = std::ranges::find(figures, kind, &FigureDifference::kind);
  return found == figures.end() ? nullptr : &*found;
}

bool Difference::within_budget() const {
  return !(no_longer_fits && !budget.empty()) &&
         std::ranges::all_of(budget, [](const BudgetResult& result) { return result.kept; });
}

Difference Compare(DiffSide before, DiffSide after, const std::vector<BudgetLimit>& limits) {
  Difference difference;
  const bool known = before.global_batch > 0 && after.global_batch > 0;
  difference.per_example = known && before.global_batch != after.global_batch;
  const double scale = difference.per_example ? static_cast<double>(before.global_batch) /
                                                    static_cast<double>(after.global_batch)
                                              : 1;
  const auto time_range = RangeOf(before, after, before.time_range, after.time_range);
  // What a log or a profile calls a step is one by the wall clock.
  AddFigure(FigureKind::kStep, ValueOf(before.step), ValueOf(after.step), scale, time_range,
            difference);
  AddFigure(FigureKind::kDevice, ValueOf(before.device), ValueOf(after.device), scale, time_range,
            difference);
  AddFigure(FigureKind::kHbm, ValueOf(before.hbm), ValueOf(after.hbm), 1,
            RangeOf(before, after, before.memory_range, after.memory_range), difference);
  AddFigure(FigureKind::kCompile, ValueOf(before.compile), ValueOf(after.compile), 1,
            RangeOf(before, after, before.compile_range, after.compile_range), difference);
  difference.layers =
      CompareGroups(before, after, scale, [](const SideGroup& group) { return group.name; });
  difference.kinds = CompareGroups(before, after, scale, [](const SideGroup& group) {
    return group.kind.empty() ? std::string("other") : group.kind;
  });
  difference.came = OnlyIn(after.findings, before.findings);
  difference.went = OnlyIn(before.findings, after.findings);
  const auto fits = [](const DiffSide& side) {
    return !side.hbm || !side.available || *side.hbm <= *side.available;
  };
  difference.no_longer_fits = fits(before) && !fits(after);
  difference.before = std::move(before);
  difference.after = std::move(after);
  for (const BudgetLimit& limit : limits) difference.budget.push_back(Check(limit, difference));
  return difference;
}

absl::StatusOr<BudgetLimit> ParseBudget(std::string_view text) {
  const auto wrong = [&] {
    return InvalidInput(fmt::format(
        "--budget: found '{}', expected FIGURE=+LIMIT with step, device, hbm or compile and a "
        "share (step=+3%), a time (step=+2ms, compile=+10s) or a size (hbm=+1GiB)",
        text));
  };
  BudgetLimit limit;
  limit.text = std::string(text);
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return wrong();
  const std::string_view key = text.substr(0, equals);
  bool known = false;
  for (const FigureKind kind :
       {FigureKind::kStep, FigureKind::kDevice, FigureKind::kHbm, FigureKind::kCompile}) {
    if (FigureKey(kind) != key) continue;
    limit.kind = kind;
    known = true;
  }
  std::string_view value = text.substr(equals + 1);
  if (value.starts_with('+')) value.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (!known || error != std::errc() || !(number > -1e15) || !(number < 1e15)) return wrong();
  const std::string_view unit = value.substr(static_cast<size_t>(end - value.data()));
  if (unit == "%") {
    limit.share = number / 100;
    return limit;
  }
  struct Unit {
    std::string_view name;
    double factor;
    bool time;
  };
  constexpr Unit kUnits[] = {
      {"us", 1e-6, true},      {"ms", 1e-3, true},      {"s", 1, true},
      {"min", 60, true},       {"KiB", 1 << 10, false}, {"MiB", 1 << 20, false},
      {"GiB", 1 << 30, false}, {"MB", 1e6, false},      {"GB", 1e9, false}};
  const auto* found = std::ranges::find(kUnits, unit, &Unit::name);
  const bool is_time = limit.kind != FigureKind::kHbm;
  if (found == std::end(kUnits) || found->time != is_time) return wrong();
  limit.amount = number * found->factor;
  return limit;
}

}  // namespace tilewise
