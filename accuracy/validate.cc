// Rows are simulated side by side, and summed up in file order, so that the
// result does not depend on the number of threads. A row with windows has two points on its
// line: as chosen, then as given.

#include "accuracy/validate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "accuracy/read_set.h"
#include "session/simulated.h"

namespace tilewise {
namespace {

double Throughput(const Point& point, double steps_per_second) {
  return steps_per_second * static_cast<double>(point.global_batch);
}

double Measured(const ComparedRow& row) {
  if (row.point.out_of_memory) return 0;
  return Throughput(row.point, row.point.figure.value);
}

// The best of one network; null when none is simulated to fit.
const ComparedRow* Choose(const std::vector<const ComparedRow*>& rows) {
  const ComparedRow* best = nullptr;
  double most = 0;
  for (const ComparedRow* row : rows) {
    if (!row->prediction || !row->prediction->fits) continue;
    const double throughput = Throughput(row->point, row->prediction->value);
    const bool better = throughput > most || (best && throughput == most &&
                                              row->point.global_batch < best->point.global_batch);
    if (!better) continue;
    most = throughput;
    best = row;
  }
  return best;
}

constexpr size_t kSmallestRankedGroup = 3;

void Compare(ComparedRow& row, const NamedMachine& machine, const WorkloadLoader& load) {
  if (!row.point.not_simulated.empty()) {
    row.not_simulated = row.point.not_simulated;
    return;
  }
  if (row.point.input) {
    row.prediction = PredictPipeline(row.point);
    return;
  }
  const absl::StatusOr<Target> target = TargetOf(row.point, machine);
  if (!target.ok()) {
    row.not_simulated = Message(target.status());
    return;
  }
  const absl::StatusOr<Prediction> prediction = Predict(row.point, *target, load);
  if (!prediction.ok()) {
    row.not_simulated = Message(prediction.status());
    return;
  }
  row.prediction = *prediction;
}

bool TellsMemory(const Point& point) {
  const Quantity quantity = point.figure.quantity;
  return point.out_of_memory || !point.network.empty() || quantity == Quantity::kFits ||
         quantity == Quantity::kPeak;
}

bool HasError(const ComparedRow& row) { return row.prediction && row.point.has_figure(); }

// What the group is called: the table's own word, else what the simulation
// spends most of the step on.
const std::string& GroupOf(const ComparedRow& row) {
  return row.point.group.empty() ? row.prediction->bound : row.point.group;
}

// Rates rank as their times do, so that rows of both can share a group.
Pair RankPair(const ComparedRow& row) {
  Pair pair = row.pair();
  const Quantity quantity = row.point.figure.quantity;
  if (quantity == Quantity::kTime) return pair;
  return {1 / pair.measured, 1 / pair.simulated};
}

struct Pairs {
  std::vector<Pair> errors, ranks;
  GroupAccuracy Sum(const std::string& name) const {
    return {name, Summarize(errors), Spearman(ranks)};
  }
};

// Rows that do not count are called by the group that they share, if any.
void NameTogether(const std::string& group, std::string& name) {
  constexpr const char* kOther = "not counted";
  if (name.empty()) name = group.empty() ? kOther : group;
  if (name != group) name = kOther;
}

void SumUpHeldOut(SetAccuracy& set) {
  const bool fitted = std::ranges::any_of(
      set.comparisons, [](const ComparedRow& row) { return row.point.in_sample; });
  if (!fitted) return;
  Pairs all;
  std::map<std::string, Pairs> groups;
  for (const ComparedRow& row : set.comparisons) {
    if (!HasError(row) || !row.point.counted || row.point.in_sample) continue;
    for (Pairs* pairs : {&all, &groups[GroupOf(row)]}) {
      pairs->errors.push_back(row.pair());
      pairs->ranks.push_back(RankPair(row));
    }
  }
  if (all.errors.empty()) return;
  set.held_out.push_back(all.Sum("held out"));
  for (const auto& [name, pairs] : groups) set.held_out.push_back(pairs.Sum(name + ", held out"));
}

void SumUp(SetAccuracy& set) {
  Pairs all, uncounted;
  std::string uncounted_name;
  std::map<std::string, Pairs> groups;
  for (const ComparedRow& row : set.comparisons) {
    if (!HasError(row)) continue;
    if (!row.point.counted) NameTogether(row.point.group, uncounted_name);
    Pairs* into[] = {row.point.counted ? &all : &uncounted,
                     row.point.counted ? &groups[GroupOf(row)] : nullptr};
    for (Pairs* pairs : into) {
      if (pairs == nullptr) continue;
      pairs->errors.push_back(row.pair());
      pairs->ranks.push_back(RankPair(row));
    }
  }
  SumUpHeldOut(set);
  const GroupAccuracy total = all.Sum("");
  set.errors = total.errors;
  set.spearman = total.spearman;
  if (!uncounted.errors.empty()) set.uncounted = uncounted.Sum(uncounted_name);
  if (groups.size() < 2) return;
  for (const auto& [name, pairs] : groups) {
    const GroupAccuracy group = pairs.Sum(name);
    if (group.spearman && group.errors.n >= kSmallestRankedGroup) {
      set.least_group_spearman = std::min(set.least_group_spearman.value_or(1), *group.spearman);
    }
    set.groups.push_back(group);
  }
}

void JudgeReport(const ComparedRow& row, SetAccuracy& set) {
  const double right = RightPart(row.prediction->fit_certainty, row.point.ran());
  set.right_or_half += right;
  if (!row.point.ran()) set.failures_or_half += right;
  if (right > 0 && right < 1) set.close_memory.push_back(row.point.label);
}

void JudgeMemory(SetAccuracy& set) {
  size_t right = 0;
  for (const ComparedRow& row : set.comparisons) {
    if (!row.prediction || !TellsMemory(row.point) || !row.point.counted) {
      continue;
    }
    ++set.oom_rows;
    JudgeReport(row, set);
    if (!row.point.ran()) {
      ++set.failures;
      if (!row.prediction->fits) ++set.failures_found;
    }
    if (row.prediction->fits == row.point.ran()) {
      ++right;
    } else {
      set.wrong_memory.push_back(row.point.label);
    }
  }
  if (set.oom_rows == 0) return;
  set.oom_accuracy = static_cast<double>(right) / static_cast<double>(set.oom_rows);
}

void FindWorst(SetAccuracy& set, size_t count) {
  for (size_t i = 0; i < set.comparisons.size(); ++i) {
    const ComparedRow& row = set.comparisons[i];
    if (HasError(row) && row.point.counted) set.worst.push_back(i);
  }
  std::stable_sort(set.worst.begin(), set.worst.end(), [&](size_t a, size_t b) {
    return std::abs(set.comparisons[a].pair().error()) >
           std::abs(set.comparisons[b].pair().error());
  });
  if (set.worst.size() > count) set.worst.resize(count);
}

}  // namespace

double RightPart(double fit_certainty, bool ran) {
  switch (VerdictOf(fit_certainty)) {
    case MemoryVerdict::kFits:
      return ran ? 1 : 0;
    case MemoryVerdict::kTooClose:
      return 0.5;
    case MemoryVerdict::kDoesNotFit:
      break;
  }
  return ran ? 0 : 1;
}

std::optional<Choices> MeasureChoices(const std::vector<ComparedRow>& comparisons) {
  std::map<std::string, std::vector<const ComparedRow*>> networks;
  for (const ComparedRow& row : comparisons) {
    if (!row.point.network.empty()) networks[row.point.network].push_back(&row);
  }
  Choices choices;
  for (const auto& [name, rows] : networks) {
    double best = 0;
    for (const ComparedRow* row : rows) best = std::max(best, Measured(*row));
    if (best == 0) continue;
    ++choices.networks;
    const ComparedRow* choice = Choose(rows);
    if (choice && choice->point.out_of_memory) ++choices.out_of_memory;
    choices.regret += 1 - (choice ? Measured(*choice) / best : 0);
  }
  if (choices.networks == 0) return std::nullopt;
  choices.regret /= static_cast<double>(choices.networks);
  return choices;
}

WindowChoices CountSameWindows(const std::vector<ComparedRow>& comparisons) {
  WindowChoices choices;
  for (size_t i = 1; i < comparisons.size(); ++i) {
    const ComparedRow& chosen = comparisons[i - 1];
    const ComparedRow& given = comparisons[i];
    if (!given.point.matmul_cuts || chosen.point.matmul_cuts ||
        chosen.point.line != given.point.line || !chosen.prediction || !given.prediction) {
      continue;
    }
    ++choices.rows;
    if (chosen.prediction->device == given.prediction->device) ++choices.same;
  }
  return choices;
}

absl::StatusOr<SetAccuracy> Validate(const std::string& name, std::string_view text,
                                     const ValidateOptions& options, const WorkloadLoader& load) {
  TW_ASSIGN_OR_RETURN(MeasuredSet measured, ReadMeasuredSet(name, text));
  SetAccuracy set;
  set.name = measured.name;
  set.kind = measured.kind;
  set.published = measured.published;
  set.rows = measured.rows;
  for (Point& point : measured.points) {
    set.comparisons.push_back({std::move(point), std::nullopt, ""});
  }
  const NamedMachine machine = MachineFor(options.machine, set.published);
  ForEachRow(set.comparisons.size(), options.threads,
             [&](size_t row) { Compare(set.comparisons[row], machine, load); });
  SumUp(set);
  JudgeMemory(set);
  if (const std::optional<Choices> choices = MeasureChoices(set.comparisons)) {
    set.regret = choices->regret;
    set.networks = choices->networks;
    set.oom_choices = choices->out_of_memory;
  }
  const WindowChoices windows = CountSameWindows(set.comparisons);
  set.window_rows = windows.rows;
  set.same_windows = windows.same;
  set.variants = MeasureVariants(set.comparisons);
  FindWorst(set, options.worst);
  return set;
}

}  // namespace tilewise
