// Reads and splits the rows, has the constants fitted, and measures the errors
// before and after.

#include "accuracy/calibrate.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "accuracy/calibrator.h"
#include "accuracy/csv.h"
#include "accuracy/read_set.h"

namespace tilewise {
namespace {

bool HasFigure(const Point& point) {
  return point.not_simulated.empty() && point.counted && !point.out_of_memory &&
         point.figure.quantity != Quantity::kFits && point.figure.value > 0;
}

// Lines of the rows that meet all conditions.
absl::StatusOr<std::set<int64_t>> LinesToFit(const MeasuredTable& table,
                                             const std::vector<RowCondition>& where) {
  TW_ASSIGN_OR_RETURN(const Csv csv, Csv::Parse(table.path, table.text));
  std::set<int64_t> lines;
  for (size_t row = 0; row < csv.rows(); ++row) {
    bool all = true;
    for (const RowCondition& condition : where) {
      TW_ASSIGN_OR_RETURN(const bool holds, condition.Holds(csv, row));
      all = all && holds;
    }
    if (all) lines.insert(csv.line(row));
  }
  return lines;
}

absl::Status AddTable(const MeasuredTable& table, const CalibrateOptions& options,
                      const std::string& base, CalibrationRows& rows) {
  TW_ASSIGN_OR_RETURN(MeasuredSet set, ReadMeasuredSet(table.path, table.text));
  TW_ASSIGN_OR_RETURN(const std::set<int64_t> lines, LinesToFit(table, options.where));
  const NamedMachine machine = MachineFor(options.machine, set.published);
  rows.rows += set.rows;
  for (Point& point : set.points) {
    if (!point.chip.empty()) {
      const absl::StatusOr<std::string> chip = BaseChipName(point.chip);
      if (!chip.ok() || *chip != base) {
        ++rows.other_chips;
        continue;
      }
    }
    if (!HasFigure(point)) continue;
    absl::StatusOr<Target> target = TargetOf(point, machine);
    if (!target.ok()) continue;
    const bool meets = lines.contains(point.line);
    rows.compared.push_back({std::move(point), *std::move(target), &table.load, meets});
  }
  return absl::OkStatus();
}

ErrorSummary ErrorsOf(const RowPointers& rows, const std::vector<double>& simulated) {
  std::vector<Pair> pairs;
  for (size_t i = 0; i < rows.size(); ++i) {
    pairs.push_back({rows[i]->point.figure.value, simulated[i]});
  }
  return Summarize(pairs);
}

std::vector<double> Before(const RowPointers& rows) {
  std::vector<double> simulated;
  for (const CalibrationRow* row : rows) simulated.push_back(row->simulated);
  return simulated;
}

// Evenly spaced ones of those that meet the conditions go to `fitted`.
void Split(const CalibrationRows& rows, size_t most, RowPointers& fitted, RowPointers& held_out) {
  const size_t all = std::count_if(rows.compared.begin(), rows.compared.end(),
                                   [](const CalibrationRow& row) { return row.meets_conditions; });
  const size_t count = std::min(all, most);
  size_t seen = 0, taken = 0;
  for (const CalibrationRow& row : rows.compared) {
    const bool take = row.meets_conditions && taken < count && seen == taken * all / count;
    (take ? fitted : held_out).push_back(&row);
    if (take) ++taken;
    if (row.meets_conditions) ++seen;
  }
}

std::string SourceOf(const std::vector<MeasuredTable>& tables, const Calibration& result) {
  std::string names;
  for (const MeasuredTable& table : tables) {
    const std::string file = table.path.substr(table.path.find_last_of('/') + 1);
    names += (names.empty() ? "" : ", ") + file;
  }
  return fmt::format("fitted on {}, {} rows", names, result.fitted_rows);
}

}  // namespace

absl::StatusOr<CalibrationRows> ReadCalibrationRows(const std::vector<MeasuredTable>& tables,
                                                    const CalibrateOptions& options) {
  const std::string& name = options.machine.chip;
  TW_ASSIGN_OR_RETURN(const Chip chip, FindChip(name));
  TW_ASSIGN_OR_RETURN(const std::string base, BaseChipName(name));
  CalibrationRows rows;
  for (const MeasuredTable& table : tables) {
    TW_RETURN_IF_ERROR(AddTable(table, options, base, rows));
  }
  std::vector<const CalibrationRow*> all;
  for (const CalibrationRow& row : rows.compared) all.push_back(&row);
  const std::vector<double> simulated = SimulateRows(all, chip, options.threads);
  for (size_t i = 0; i < simulated.size(); ++i) {
    rows.compared[i].simulated = simulated[i];
  }
  std::erase_if(rows.compared, [](const CalibrationRow& row) { return !(row.simulated > 0); });
  return rows;
}

std::vector<double> SimulateRows(std::span<const CalibrationRow* const> rows, const Chip& chip,
                                 int threads) {
  std::vector<double> simulated(rows.size());
  ForEachRow(rows.size(), threads, [&](size_t i) {
    Target target = rows[i]->target;
    target.chip = chip;
    const absl::StatusOr<Prediction> prediction = Predict(rows[i]->point, target, *rows[i]->load);
    if (prediction.ok()) simulated[i] = prediction->value;
  });
  return simulated;
}

absl::StatusOr<Calibration> Calibrate(const std::vector<MeasuredTable>& tables,
                                      const CalibrateOptions& options) {
  TW_ASSIGN_OR_RETURN(const CalibrationRows rows, ReadCalibrationRows(tables, options));
  Calibration result;
  result.rows = rows.rows;
  result.other_chips = rows.other_chips;
  result.not_compared = rows.rows - rows.other_chips - rows.compared.size();
  RowPointers fitted, held_out;
  Split(rows, options.where.empty() ? options.most_rows : rows.compared.size(), fitted, held_out);
  if (fitted.size() < kLeastRows) {
    return InvalidInput(
        fmt::format("found {} rows to fit that were measured on {} and can be simulated, "
                    "expected at least {}",
                    fitted.size(), options.machine.chip, kLeastRows));
  }
  result.fitted_rows = fitted.size();
  TW_RETURN_IF_ERROR(FitConstants(options, fitted, result));
  const std::vector<ChangedConstant> changes = ChangesOf(result, SourceOf(tables, result));
  TW_ASSIGN_OR_RETURN(const Chip chip, FindChipWith(options.machine.chip, changes));
  result.fitted_before = ErrorsOf(fitted, Before(fitted));
  result.fitted_after = ErrorsOf(fitted, SimulateRows(fitted, chip, options.threads));
  if (!held_out.empty()) {
    result.held_out_before = ErrorsOf(held_out, Before(held_out));
    result.held_out_after = ErrorsOf(held_out, SimulateRows(held_out, chip, options.threads));
  }
  TW_ASSIGN_OR_RETURN(result.overlay, OverlayText(options.machine.chip, changes));
  return result;
}

}  // namespace tilewise
