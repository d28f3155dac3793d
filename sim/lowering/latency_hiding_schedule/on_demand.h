// Kernels of which the issue order does not depend: gathers of weights and what
// belongs to them.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/lowering/program.h"

namespace tilewise {

// Kernels (from, to): `from` is issued before `to`.
using KernelEdges = std::vector<std::pair<KernelId, KernelId>>;

// Returns whether it gathers a weight or activation; what an update gathers is
// part of the update.
bool IsGather(const Kernel& kernel);

// Gathers of weights, what goes into them, and what is made of gathered weights
// alone, as their quantised form is; copies of values that come from the host.
// Each could be first and is not: its result takes memory until it is used. It
// has no say in the order of the others, and stands before the first that needs
// it.
class OnDemand {
 public:
  // `edges` of all kernels of `program`, which stand in an order that keeps to
  // those of data.
  OnDemand(const Program& program, const KernelEdges& edges);

  // Returns the edges of the other kernels, those through what waits included.
  KernelEdges OfOthers(const KernelEdges& edges);

  // `order` of all kernels with those that wait where they belong.
  std::vector<KernelId> Insert(const std::vector<KernelId>& order);

 private:
  bool waits(KernelId k) const { return waits_[k]; }
  // The others that `k` needs; found once.
  const std::vector<KernelId>& SourcesOf(KernelId k);
  // The number in the order of the first of the others that needs `k`.
  int32_t PositionOf(KernelId k);

  std::vector<bool> waits_;
  std::vector<std::vector<KernelId>> before_, behind_;  // of these alone
  std::vector<bool> is_resolved_;
  std::vector<int32_t> places_;
};

}  // namespace tilewise
