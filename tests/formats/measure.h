// What a file's model costs on one core, in figures that can be compared.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/status.h"
#include "workload/workload.h"

namespace tilewise::formats {

struct Cost {
  std::map<std::string, int64_t> kernels;  // by kind
  double matrix_flops = 0;                 // as the array performs them
  double vector_work = 0;                  // instructions on a register
  double bytes = 0;                        // to and from HBM
  double microseconds = 0;                 // of a step
  // "3 kernels (1 matrix, 2 loop), 1.2 MFLOP, .. 12.3 us"
  std::string Text() const;
};

// At a batch of kBatch. Errors: it cannot be lowered, has an opaque op, or
// trains nothing.
absl::StatusOr<Cost> Measure(const Workload& workload, bool training);

// What of the two differs by more than rounding: "kernels", "matrix work",
// "vector work", "bytes", "time", between commas; empty where nothing does.
std::string Disagreement(const Cost& a, const Cost& b);

}  // namespace tilewise::formats
