// Tables of measurements against the simulator: errors, ranks, memory verdicts
// and choices of the batch size.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/point.h"
#include "accuracy/predict.h"
#include "accuracy/published.h"
#include "accuracy/statistics.h"
#include "accuracy/variants.h"
#include "base/status.h"

namespace tilewise {

struct ComparedRow {
  Point point;
  std::optional<Prediction> prediction;
  std::string not_simulated;  // why there is no prediction
  Pair pair() const { return {point.figure.value, prediction->value}; }
};

struct GroupAccuracy {
  std::string name;
  ErrorSummary errors;
  std::optional<double> spearman;
};

struct SetAccuracy {
  std::string name;  // the file's, without folder and extension
  std::string kind;
  size_t rows = 0;
  std::vector<ComparedRow> comparisons;  // of all rows, in file order
  // Errors of the rows that ran, that were simulated and that count.
  ErrorSummary errors;
  std::optional<double> spearman;
  // The smallest of the groups that hold three rows or more.
  std::optional<double> least_group_spearman;
  std::vector<GroupAccuracy> groups;  // sorted by name; none for one group
  // Rows that no constant was read off, where others are: all, then by group.
  std::vector<GroupAccuracy> held_out;
  std::optional<GroupAccuracy> uncounted;
  // Share of rows whose verdict "fits HBM" is right, where rows tell; none
  // where none does.
  std::optional<double> oom_accuracy;
  size_t oom_rows = 0;
  size_t failures = 0, failures_found = 0;  // of these, rows that did not fit
  std::vector<std::string> wrong_memory;    // labels
  // Verdicts as reports give them, of which "too close to tell" is half a right one.
  std::vector<std::string> close_memory;  // labels
  double right_or_half = 0, failures_or_half = 0;
  // Mean shortfall of the measured throughput at the batch with the highest
  // simulated throughput; see MeasureChoices.
  std::optional<double> regret;
  size_t networks = 0, oom_choices = 0;
  // Matmuls with the compiler's windows beside them; see CountSameWindows.
  size_t window_rows = 0, same_windows = 0;
  VariantAccuracy variants;
  std::vector<size_t> worst;  // indices of comparisons, largest error first
  SetDefaults published;      // targets, source and peers
};

struct ValidateOptions {
  NamedMachine machine;  // named by the user: stands in before the set's own
  size_t worst = 5;
  int threads = 1;
};

// Reads and simulates a table. `name` stands in messages and names the set.
// Rows that cannot be simulated are part of the result. Errors: the table does
// not have the form of any kind.
absl::StatusOr<SetAccuracy> Validate(const std::string& name, std::string_view text,
                                     const ValidateOptions& options, const WorkloadLoader& load);

// Returns how much of a right verdict a report gives that is so sure that a program fits: half
// where it is too close to tell.
double RightPart(double fit_certainty, bool ran);

struct Choices {
  size_t networks = 0;       // with at least one batch that ran
  size_t out_of_memory = 0;  // choices that did not run
  double regret = 0;
};
// Chooses for each network the batch with the highest simulated examples per second
// among those simulated to fit, the smaller of equal ones; its measured
// throughput against the best measured one. No choice or one that ran out of
// memory falls short by all. None without networks.
std::optional<Choices> MeasureChoices(const std::vector<ComparedRow>& comparisons);

struct WindowChoices {
  size_t rows = 0;  // that are simulated both with own and with given windows
  size_t same = 0;
};
// How often the windows that the simulator chooses for a matmul are those that
// its row states. They are when both simulations take the same time to the last
// bit; other windows that do so count as the same.
WindowChoices CountSameWindows(const std::vector<ComparedRow>& comparisons);

}  // namespace tilewise
