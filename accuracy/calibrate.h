// Fits the constants that no data sheet gives to a user's measurements.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/point.h"
#include "accuracy/predict.h"
#include "accuracy/row_condition.h"
#include "accuracy/statistics.h"
#include "base/status.h"
#include "hardware/chip.h"
#include "hardware/overlay.h"
#include "hardware/target.h"

namespace tilewise {

struct MeasuredTable {
  std::string path, text;
  WorkloadLoader load;  // of the specs in it
};

struct CalibrateOptions {
  NamedMachine machine;  // its chip is the one whose constants are fitted
  int threads = 1;
  // So many of more rows are fitted, evenly spaced in the order of the tables;
  // the others show how well the constants carry over.
  size_t most_rows = 160;
  // The fit is of just the rows that meet all of these, however many, if there
  // are any.
  std::vector<RowCondition> where;
  std::string only;  // fit just the constants whose names start with one of these
};

enum class FitOutcome : uint8_t {
  kFitted,
  kSearched,   // it decides what the compiler chooses: changed, no interval
  kAtLimit,    // the fit would leave the schema's range: see its limits
  kNoEffect,   // no row changes with it; kept
  kNoGain,     // the others fit the rows nearly as well without it; kept
  kUncertain,  // the 95 % interval spans more than a factor of nine; kept
};

struct CalibratedConstant {
  FittableConstant before;
  FitOutcome outcome = FitOutcome::kNoEffect;
  double after = 0;          // equal to before.value where it is kept
  double low = 0, high = 0;  // 95 %; only when kFitted
};

struct Calibration {
  std::vector<CalibratedConstant> constants;  // all fittable ones of the chip
  size_t rows = 0;                            // of all tables
  size_t other_chips = 0;                     // rows measured on another chip
  size_t not_compared = 0;                    // out of memory, not counted, not simulated
  size_t fitted_rows = 0;
  size_t evaluations = 0;  // of all fitted rows
  ErrorSummary fitted_before, fitted_after;
  // Errors of the rows that are compared but not fitted; none when all are.
  std::optional<ErrorSummary> held_out_before, held_out_after;
  std::string overlay;  // a file for --chip

  size_t compared() const { return rows - other_chips - not_compared; }
};

// Least squares on the logarithm of simulated over measured, robust against
// outliers (robust_fit.h), over the logarithm of each constant within the range
// that the schema gives. Intervals are those of the Gauss-Newton covariance:
// they take the rows' errors as independent, so that an error of the model that
// many rows share is not in them. Constants that the rows cannot determine are
// taken out one at a time, the least certain first, and keep their value; then
// those whose change lowers the cost by less than a fifth. Constants by which
// the compiler chooses are searched for before all others (factor_search.h).
// Deterministic, whatever `threads` is. Errors: what the tables' readers
// report; a condition on a column that a table lacks; an unknown chip; fewer
// than kLeastRows rows to fit.
absl::StatusOr<Calibration> Calibrate(const std::vector<MeasuredTable>& tables,
                                      const CalibrateOptions& options);
inline constexpr size_t kLeastRows = 4;

struct CalibrationRow {
  Point point;
  Target target;                         // its chip is replaced by the one under test
  const WorkloadLoader* load = nullptr;  // of its table
  bool meets_conditions = true;          // those of CalibrateOptions
  double simulated = 0;                  // with the chip as it is
  Pair pair() const { return {point.figure.value, simulated}; }
};

struct CalibrationRows {
  std::vector<CalibrationRow> compared;  // in the order of the tables
  size_t rows = 0, other_chips = 0;
};

// Reads the tables and simulates them once. The rows point into `tables`.
// Errors: as those of Calibrate, but for the number of rows.
absl::StatusOr<CalibrationRows> ReadCalibrationRows(const std::vector<MeasuredTable>& tables,
                                                    const CalibrateOptions& options);

// The simulated figure of each row on `chip`; 0 where it cannot be simulated.
std::vector<double> SimulateRows(std::span<const CalibrationRow* const> rows, const Chip& chip,
                                 int threads);

}  // namespace tilewise
