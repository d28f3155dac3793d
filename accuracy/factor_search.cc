// Variables of which no change of the first size matters are left alone.

#include "accuracy/factor_search.h"

#include <algorithm>

namespace tilewise {
namespace {

constexpr double kFactors[] = {2, 1.4, 1.2, 1.1};
constexpr int kRoundsEach = 2;

class Searcher {
 public:
  Searcher(std::span<const SearchedVariable> variables, const SearchCost& cost)
      : variables_(variables), cost_(cost) {}

  absl::StatusOr<FactorSearch> Run() {
    for (const SearchedVariable& variable : variables_) {
      found_.point.push_back(variable.start);
    }
    found_.matters.assign(variables_.size(), true);
    TW_ASSIGN_OR_RETURN(found_.start_cost, cost_(found_.point));
    found_.evaluations = 1;
    found_.cost = found_.start_cost;
    TW_RETURN_IF_ERROR(FindWhatMatters());
    for (const double factor : kFactors) {
      for (int round = 0; round < kRoundsEach; ++round) {
        TW_ASSIGN_OR_RETURN(const bool better, RunRound(factor));
        if (!better) break;
      }
    }
    return found_;
  }

 private:
  absl::StatusOr<double> CostWith(const std::vector<double>& point) {
    ++found_.evaluations;
    return cost_(point);
  }

  std::vector<double> Changed(size_t i, double factor) const {
    std::vector<double> point = found_.point;
    point[i] = std::clamp(point[i] * factor, variables_[i].least, variables_[i].most);
    return point;
  }

  absl::Status FindWhatMatters() {
    for (size_t i = 0; i < variables_.size(); ++i) {
      bool matters = false;
      for (const double factor : {kFactors[0], 1 / kFactors[0]}) {
        TW_ASSIGN_OR_RETURN(const double cost, CostWith(Changed(i, factor)));
        matters = matters || cost != found_.cost;
      }
      found_.matters[i] = matters;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<bool> RunRound(double factor) {
    const double before = found_.cost;
    for (size_t i = 0; i < variables_.size(); ++i) {
      if (!found_.matters[i]) continue;
      for (const double by : {factor, 1 / factor}) {
        std::vector<double> point = Changed(i, by);
        TW_ASSIGN_OR_RETURN(const double cost, CostWith(point));
        if (cost >= found_.cost) continue;
        found_.cost = cost;
        found_.point = std::move(point);
      }
    }
    return found_.cost < before;
  }

  std::span<const SearchedVariable> variables_;
  const SearchCost& cost_;
  FactorSearch found_;
};

}  // namespace

absl::StatusOr<FactorSearch> SearchByFactors(std::span<const SearchedVariable> variables,
                                             const SearchCost& cost) {
  return Searcher(variables, cost).Run();
}

}  // namespace tilewise
