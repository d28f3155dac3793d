// See step_series.h.

#include "frontend/logs/step_series.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tilewise {
namespace {

constexpr size_t kMostLines = 1'000'000;
constexpr double kSlow = 1.25;  // of the median: holds compilation
constexpr double kFast = 0.5;   // of it: the device cannot have finished
// Lines at the start that may be either.
constexpr size_t kStart = 5;

double MedianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

template <class Figure>
double MedianFigure(const std::vector<LoggedStep>& lines, const std::vector<size_t>& kept,
                    Figure figure) {
  std::vector<double> values;
  for (const size_t i : kept) {
    const double value = figure(lines[i]);
    if (value > 0) values.push_back(value);
  }
  return MedianOf(std::move(values));
}

}  // namespace

void StepSeries::Add(LoggedStep line) {
  if (!(line.time.value > 0) || !(line.time.value < 1e8)) return;
  if (series_.lines.empty()) series_.location = line.location;
  if (series_.lines.size() < kMostLines) series_.lines.push_back(std::move(line));
}

LoggedSteps StepSeries::Finish() {
  std::vector<LoggedStep>& lines = series_.lines;
  std::vector<double> times;
  times.reserve(lines.size());
  for (const LoggedStep& line : lines) times.push_back(line.time.value);
  // With few lines the last one is nearer to how it goes on than the median.
  const double typical = times.size() < 3 && !times.empty() ? times.back() : MedianOf(times);
  std::vector<size_t> kept;
  bool started = false;  // a line like the others was seen
  std::vector<size_t> slow;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool start = i < kStart && !started && lines.size() > 1;
    // An epoch's mean leaves its first step out, its whole time does not.
    const Seconds elapsed = lines[i].elapsed;
    const double whole = elapsed.value / static_cast<double>(std::max<int64_t>(lines[i].count, 1));
    if (start && std::max(times[i], whole) > kSlow * typical) {
      slow.push_back(i);
      continue;
    }
    if (i < kStart && times[i] < kFast * typical) {
      ++series_.too_fast;
      continue;
    }
    started = true;
    kept.push_back(i);
  }
  series_.slow_first = static_cast<int64_t>(slow.size());
  std::vector<double> steady;
  steady.reserve(kept.size());
  for (const size_t i : kept) steady.push_back(times[i]);
  if (steady.empty()) return std::move(series_);
  series_.steady = {MedianOf(steady)};
  const auto [least, most] = std::minmax_element(steady.begin(), steady.end());
  series_.least = {*least};
  series_.most = {*most};
  // One line tells only where it stands for many steps.
  constexpr int64_t kManySteps = 20;
  int64_t steps = 0;
  for (const size_t i : kept) steps += lines[i].count;
  if (kept.size() > 1 || steps >= kManySteps) series_.settled = static_cast<int64_t>(kept.size());
  for (size_t i = 0; i < std::min(kStart, lines.size()); ++i) {
    const LoggedStep& line = lines[i];
    const auto count = static_cast<double>(std::max<int64_t>(line.count, 1));
    const Seconds whole = line.elapsed > Seconds{} ? line.elapsed : line.time * count;
    const Seconds beyond = whole - series_.steady * count;
    const bool holds =
        std::ranges::find(slow, i) != slow.end() || (i == 0 && line.elapsed > Seconds{});
    if (holds && beyond > whole * 0.1) series_.compilation += beyond;
  }
  series_.flops = MedianFigure(lines, kept, [](const LoggedStep& line) { return line.flops; });
  series_.tokens = MedianFigure(lines, kept, [](const LoggedStep& line) { return line.tokens; });
  series_.examples =
      MedianFigure(lines, kept, [](const LoggedStep& line) { return line.examples; });
  if (series_.batch == 0 && series_.examples > 0 && series_.writer != "PyTorch/XLA's example") {
    series_.batch = std::llround(series_.examples * series_.steady.value);
  }
  return std::move(series_);
}

StepSeries& StepSeriesByWriter::Of(const std::string& writer) {
  return all_.try_emplace(writer, writer).first->second;
}

void StepSeriesByWriter::Finish(RunLog& log) {
  for (auto& [writer, series] : all_) {
    if (!series.empty()) log.steps.push_back(series.Finish());
  }
}

}  // namespace tilewise
