// Which constants of a chip are changed, and to what.

#pragma once

#include <string>
#include <vector>

#include "accuracy/calibrate.h"
#include "base/status.h"
#include "hardware/overlay.h"

namespace tilewise {

using RowPointers = std::vector<const CalibrationRow*>;

// Fills `result.constants` and `result.evaluations`: screens the constants,
// fits those that matter to the rows, drops the least certain one until all
// that are left are determined, and sets back those that add little. Errors:
// an unknown chip, no constant whose name starts with options.only.
absl::Status FitConstants(const CalibrateOptions& options, const RowPointers& rows,
                          Calibration& result);

// Returns the constants that have another value than before; `source` is what
// the file will say of them, next to the interval.
std::vector<ChangedConstant> ChangesOf(const Calibration& result, const std::string& source);

}  // namespace tilewise
