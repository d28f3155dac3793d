// Makes a Figure of the columns metric, value and unit, and of what the
// sentences next to them say of steps and examples.

#pragma once

#include <string>

#include "accuracy/point.h"
#include "accuracy/text_match.h"
#include "base/status.h"

namespace tilewise {

struct FigureWords {
  TextMatch metric;         // "images/s per device"
  std::string unit;         // "img/s"
  TextMatch details;        // workload and notes
  double global_batch = 0;  // 0: not known
  double devices = 1;
  double chips = 1;
  double seq = 0;          // tokens of an example; 0: not known
  double moved_bytes = 0;  // that a bandwidth counts
  double steps = 0;        // of the span; 0: not stated in a column
  bool training = false;
};

// `figure.value` is left alone. Errors say what is missing: a metric or unit
// that is not known, a batch or a number of examples that is not stated.
absl::StatusOr<Figure> ReadFigure(const FigureWords& words);

}  // namespace tilewise
