// Means, medians and ranks.

#include "accuracy/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace tilewise {
namespace {

// 1-based ranks in ascending order.
std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) {
      ++last;
    }
    const double shared = static_cast<double>(first + 1 + last) / 2;
    for (; first < last; ++first) ranks[order[first]] = shared;
  }
  return ranks;
}

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::optional<double> SharedPart(std::span<const std::vector<double>> groups) {
  double values = 0, squares = 0, sum = 0;
  for (const std::vector<double>& group : groups) {
    const auto size = static_cast<double>(group.size());
    values += size;
    squares += size * size;
    sum = std::accumulate(group.begin(), group.end(), sum);
  }
  const auto count = static_cast<double>(groups.size());
  if (count < 2 || values <= count) return std::nullopt;
  const double mean = sum / values;
  double between = 0, within = 0;
  for (const std::vector<double>& group : groups) {
    const auto size = static_cast<double>(group.size());
    const double own = std::accumulate(group.begin(), group.end(), 0.0) / size;
    between += size * (own - mean) * (own - mean);
    for (const double value : group) within += (value - own) * (value - own);
  }
  between /= count - 1;
  within /= values - count;
  const double mean_size = (values - squares / values) / (count - 1);
  const double shared = std::max(0.0, (between - within) / mean_size);
  return shared + within > 0 ? shared / (shared + within) : 0;
}

double WeightInGroup(size_t size, double shared_part) {
  return 1 / (1 + (static_cast<double>(size) - 1) * shared_part);
}

double Median(std::vector<double> values) {
  TW_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  if (values.size() % 2 == 1) return values[half];
  return (values[half - 1] + values[half]) / 2;
}

ErrorSummary Summarize(std::span<const Pair> pairs) {
  ErrorSummary summary;
  summary.n = pairs.size();
  if (pairs.empty()) return summary;
  std::vector<double> absolute, with_sign;
  for (const Pair& pair : pairs) {
    with_sign.push_back(pair.error());
    absolute.push_back(std::abs(pair.error()));
  }
  summary.mape = Mean(absolute);
  summary.median_ape = Median(absolute);
  summary.bias = Median(with_sign);
  return summary;
}

std::optional<double> Spearman(std::span<const Pair> pairs) {
  if (pairs.size() < 2) return std::nullopt;
  std::vector<double> measured, simulated;
  for (const Pair& pair : pairs) {
    measured.push_back(pair.measured);
    simulated.push_back(pair.simulated);
  }
  const std::vector<double> x = Ranks(measured);
  const std::vector<double> y = Ranks(simulated);
  const double mean = Mean(x);  // of both
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  if (xx == 0 || yy == 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

double StudentPoint(size_t degrees_of_freedom) {
  constexpr double z = 1.959964;
  const auto v = static_cast<double>(std::max<size_t>(1, degrees_of_freedom));
  return z + (z * z * z + z) / (4 * v) +
         (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * v * v);
}

}  // namespace tilewise
