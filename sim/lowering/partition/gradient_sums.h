// Decides where the terms of gradients on the cores of one mesh axis become
// one.

#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "sim/lowering/partition/split_values.h"

namespace tilewise {

// A core gets its part of the sum where the weight is stored in parts, else all
// of it.
class GradientSums {
 public:
  // `stores`: see SharedAxis. `weights`: see FindWeightsOfGradients. `tables`:
  // see FindTables; by features. `narrow`: terms are summed in the type of the
  // matmul that made them. The vectors outlive this.
  GradientSums(SplitValues& values, std::function<bool(const Op* variable)> stores,
               const std::vector<OpId>& weights, const std::vector<bool>& tables, bool narrow);

  // Every core has its part of the sum already.
  void SetSummed(OpId gradient) { summed_[gradient] = true; }
  // Adds gradients up of which some are summed, or each of which is summed as
  // it is made. False, and nothing done, for any other sum.
  bool PartitionAdd(const Op& sum);
  // Sums what is carried from one part of the batch to the next. False, and nothing done, for any
  // other op.
  bool PartitionCarry(const Op& op);
  // Sums `op`, which has been made, for the update, if it is a gradient that
  // this axis sums and that is not summed yet.
  void Sum(const Op& op);

 private:
  bool SumCarried(const Op& sum);
  bool IsSummed(OpId id) const { return summed_[id]; }
  bool IsStoredHere(const Op& gradient) const;
  bool IsNarrowTerm(const Op& op) const;
  int64_t DimOf(const Op& gradient) const;
  OpId SumOf(const Op& terms, int64_t dim);

  SplitValues& values_;
  const std::function<bool(const Op* variable)> stores_;
  const std::vector<OpId>& weights_;
  const std::vector<bool>& tables_;
  const bool narrow_;
  const std::vector<bool> gradients_;  // by op: see FindUnsummedGradients
  std::vector<bool> summed_;           // by op
  // These are narrow terms whose sums are there: the dim and the sum.
  std::map<OpId, std::pair<int64_t, OpId>> early_;
};

}  // namespace tilewise
