// What `tilewise validate` prints: measured sets against the simulator.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/ranges.h"
#include "accuracy/validate.h"
#include "report/report.h"

namespace tilewise {

struct AccuracyReport {
  std::string version;  // of tilewise
  std::vector<SetAccuracy> sets;
  std::vector<HeldFigures> held;  // by ranges of other sources; none: not asked for
};

// docs/schema/validate.schema.json describes the JSON. With `verbose` all rows,
// each with its spec.
template <>
std::span<const FormatOf<AccuracyReport>> FormatsOf<AccuracyReport>();

}  // namespace tilewise
