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

// The part of the variance that the values of a group share: the intraclass correlation of a
// one-way analysis of variance (Fisher), 0 where groups differ by no more than their values do.
// None with less than two groups, and where no group has two values.
std::optional<double> SharedPart(std::span<const std::vector<double>> groups);
// What a value of a group of `size` weighs when they share such a part of their variance: the
// inverse of Kish's design effect, so that a group counts as at most 1 / `shared_part` values.
double WeightInGroup(size_t size, double shared_part);

double Median(std::vector<double> values);  // of at least one

// The 97.5 % point of Student's distribution (Abramowitz and Stegun 26.7.5).
double StudentPoint(size_t degrees_of_freedom);

}  // namespace tilewise
