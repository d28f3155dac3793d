// What it costs that the step fits only because kernels run again.

#pragma once

#include <optional>
#include <string>

#include "report/report.h"

namespace tilewise {

struct Rematerialization {
  int64_t kernels = 0;  // that run again
  Seconds time;         // of these, in a step; 0 when nothing was simulated
  Bytes peak_without;
};

// Nothing when the step fits without.
std::optional<Rematerialization> RematerializationOf(const Report& report);

// "XLA computes the results of 12 kernels again to make it fit ..."; empty when
// it does not.
std::string RematerializationSentence(const Report& report);

}  // namespace tilewise
