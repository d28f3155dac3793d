// How far simulated values lie from measured ones.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tilewise {

struct Pair {
  double measured = 0;  // > 0
  double simulated = 0;
  double error() const { return simulated / measured - 1; }  // signed
};

struct ErrorSummary {
  size_t n = 0;
  // There is none without rows.
  std::optional<double> mape;        // mean of the absolute errors
  std::optional<double> median_ape;  // their median
  std::optional<double> bias;        // median of the signed errors
};
ErrorSummary Summarize(std::span<const Pair> pairs);

// Rank correlation (Spearman), equal values sharing their mean rank. None for
// fewer than two pairs, and where all measured or all simulated values are
// equal.
std::optional<double> Spearman(std::span<const Pair> pairs);

double Median(std::vector<double> values);  // of at least one

// The 97.5 % point of Student's distribution (Abramowitz and Stegun 26.7.5).
double StudentPoint(size_t degrees_of_freedom);

}  // namespace tilewise
