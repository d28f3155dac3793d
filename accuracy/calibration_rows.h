// The rows of tables of measurements that a chip's constants can be fitted to.

#pragma once

#include <cstddef>
#include <vector>

#include "accuracy/calibrate.h"
#include "accuracy/point.h"
#include "base/status.h"
#include "hardware/chip.h"
#include "hardware/target.h"

namespace tilewise {

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
