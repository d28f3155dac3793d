// Regret of choosing batch sizes by simulation.

#include <algorithm>
#include <map>

#include "accuracy/validate.h"

namespace tilewise {
namespace {

double Throughput(const Point& point, double steps_per_second) {
  return steps_per_second * static_cast<double>(point.global_batch);
}

double Measured(const ComparedRow& row) {
  if (row.point.out_of_memory) return 0;
  return Throughput(row.point, row.point.figure.value);
}

// The best of one network; null when none is simulated to fit.
const ComparedRow* Choose(const std::vector<const ComparedRow*>& rows) {
  const ComparedRow* best = nullptr;
  double most = 0;
  for (const ComparedRow* row : rows) {
    if (!row->prediction || !row->prediction->fits) continue;
    const double throughput = Throughput(row->point, row->prediction->value);
    const bool better = throughput > most || (best && throughput == most &&
                                              row->point.global_batch < best->point.global_batch);
    if (!better) continue;
    most = throughput;
    best = row;
  }
  return best;
}

}  // namespace

std::optional<Choices> MeasureChoices(const std::vector<ComparedRow>& comparisons) {
  std::map<std::string, std::vector<const ComparedRow*>> networks;
  for (const ComparedRow& row : comparisons) {
    if (!row.point.network.empty()) networks[row.point.network].push_back(&row);
  }
  Choices choices;
  for (const auto& [name, rows] : networks) {
    double best = 0;
    for (const ComparedRow* row : rows) best = std::max(best, Measured(*row));
    if (best == 0) continue;
    ++choices.networks;
    const ComparedRow* choice = Choose(rows);
    if (choice && choice->point.out_of_memory) ++choices.out_of_memory;
    choices.regret += 1 - (choice ? Measured(*choice) / best : 0);
  }
  if (choices.networks == 0) return std::nullopt;
  choices.regret /= static_cast<double>(choices.networks);
  return choices;
}

}  // namespace tilewise
