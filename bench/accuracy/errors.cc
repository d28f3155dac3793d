// Summaries of signed and absolute errors, as text.

#include "bench/accuracy/errors.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

namespace tilewise {
namespace {

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  if (values.size() % 2 == 1) return values[half];
  return (values[half - 1] + values[half]) / 2;
}

void PrintLine(const std::string& title, std::span<const Run> comparisons) {
  const ErrorSummary summary = Summarize(comparisons);
  fmt::print("{:<28} {:>5}  {:>6.1f} %  {:>6.1f} %  {:>+6.1f} %\n", title,
             summary.count, 100 * summary.mean, 100 * summary.median,
             100 * summary.bias);
}

}  // namespace

ErrorSummary Summarize(std::span<const Run> comparisons) {
  ErrorSummary summary;
  std::vector<double> absolute, with_sign;
  for (const Run& one : comparisons) {
    with_sign.push_back(one.error());
    absolute.push_back(std::abs(one.error()));
    summary.mean += absolute.back();
  }
  summary.count = comparisons.size();
  if (summary.count > 0) summary.mean /= static_cast<double>(summary.count);
  summary.median = Median(absolute);
  summary.bias = Median(with_sign);
  return summary;
}

void PrintSummary(const std::string& title, std::span<const Run> comparisons) {
  fmt::print("{:<28} {:>5}  {:>8}  {:>8}  {:>8}\n", "set", "rows", "MAPE",
             "median", "bias");
  PrintLine(title, comparisons);
  std::set<std::string> regimes;
  for (const Run& one : comparisons) regimes.insert(one.regime);
  if (regimes.size() < 2) return;
  for (const std::string& regime : regimes) {
    std::vector<Run> part;
    for (const Run& one : comparisons) {
      if (one.regime == regime) part.push_back(one);
    }
    PrintLine("  " + regime, part);
  }
}

void PrintWorst(std::vector<Run> comparisons, size_t count) {
  std::stable_sort(comparisons.begin(), comparisons.end(),
                   [](const Run& a, const Run& b) {
                     return std::abs(a.error()) > std::abs(b.error());
                   });
  if (comparisons.size() > count) comparisons.resize(count);
  PrintAll(comparisons);
}

void PrintAll(std::span<const Run> comparisons) {
  for (const Run& one : comparisons) {
    fmt::print("  {:<44} {:<8} measured {:>9}  simulated {:>9}  {:>+6.0f} %\n",
               one.label, one.regime, FormatSeconds(one.measured),
               FormatSeconds(one.simulated), 100 * one.error());
  }
}

}  // namespace tilewise
