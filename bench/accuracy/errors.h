// How far simulated times lie from measured ones.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"

namespace tilewise {

struct Run {
  std::string label;
  std::string regime;
  Seconds measured;
  Seconds simulated;
  double error() const { return simulated / measured - 1; }  // signed
};

struct ErrorSummary {
  size_t count = 0;
  double mean = 0;    // of the absolute errors (MAPE)
  double median = 0;  // of the absolute errors
  double bias = 0;    // median of the signed errors
};

ErrorSummary Summarize(std::span<const Run> comparisons);

// One line for all comparisons, one for each regime.
void PrintSummary(const std::string& title, std::span<const Run> comparisons);
// The largest absolute errors first.
void PrintWorst(std::vector<Run> comparisons, size_t count);
void PrintAll(std::span<const Run> comparisons);

}  // namespace tilewise
