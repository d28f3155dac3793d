// A minimum of a cost that jumps, over a few positive variables.

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/status.h"

namespace tilewise {

struct SearchedVariable {
  double start = 0, least = 0, most = 0;  // positive; start lies between
};

using SearchCost = std::function<absl::StatusOr<double>(std::span<const double> point)>;

struct FactorSearch {
  std::vector<double> point;
  double start_cost = 0, cost = 0;
  std::vector<bool> matters;  // some trial of the variable changed the cost
  size_t evaluations = 0;
};

// Pattern search (Hooke and Jeeves 1961) on logarithms: one variable after the
// other is multiplied and divided by a factor, and what lowers the cost is
// kept; factors become smaller. Finds a minimum that no single step leaves, not
// the least of all. Deterministic. Errors: those of `cost`.
absl::StatusOr<FactorSearch> SearchByFactors(std::span<const SearchedVariable> variables,
                                             const SearchCost& cost);

}  // namespace tilewise
