// Which ops run in one kernel, before kernels are made of them.

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/fusion/recompute.h"
#include "sim/lowering/program.h"

namespace tilewise {

struct FusionGroup {
  OpId seed = kNoOp;  // the op it was started for: its last result
  Phase phase = Phase::kForward;
  EnclosingLoop loop;            // ops of two loops never share a kernel
  bool takes_producers = false;  // elementwise ops may join
  bool has_matrix = false;
  bool has_data = false;       // slices, pads, concatenations, copies
  bool single_output = false;  // no other value is written besides the seed's
};

// Every op with a cost is in at least one group; parameters and variables are
// in none. An op in several groups is computed in each and never written.
struct FusionGroups {
  std::vector<FusionGroup> groups;
  std::vector<std::vector<int32_t>> of_op;  // ascending group numbers, by op
  std::vector<bool> is_output;              // leaves the step; bitcasts looked through

  bool Contains(OpId op, int32_t group) const;
  // The group that computes a value that is in one group only, else -1.
  int32_t Owner(OpId op) const;
};

// Groups the ops from the last to the first: an op joins the one group that
// uses it, is computed again in each of several, or starts a group of its own.
// Cycles cannot arise: whatever follows the op goes through the groups it
// joins. Without `fuse_updates` every new value of a variable or a slot of it
// is written by a kernel of its own.
FusionGroups GroupForFusion(const Program& program, const Chip& chip, bool fuse_updates = true);

// One group per op; only what never exists in memory stays with its users.
FusionGroups GroupSingly(const Program& program, const Chip& chip);

}  // namespace tilewise
