// Reads and splits the rows, has the constants fitted, and measures the errors
// before and after.

#include "accuracy/calibrate.h"

#include <algorithm>

#include <fmt/format.h>

#include "accuracy/calibration_rows.h"
#include "accuracy/calibrator.h"

namespace tilewise {
namespace {

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
