// Puts the layers that were left out back into a lowered program.

#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "sim/lowering/program.h"
#include "sim/lowering/repeats/fold.h"
#include "sim/lowering/repeats/layer_positions.h"
#include "sim/lowering/repeats/whole_order.h"

namespace tilewise {

// The ops and kernels of the whole step, in their order.
struct UnfoldPlan {
  LayerPositions positions;
  std::vector<CopiedItem> ops, kernels;
  Repetitions HowOften() const;
};

// `program` is `folded.graph` lowered up to the windows of its kernels, before
// buffers and order. Fails when the layers around the typical one
// were not lowered alike; the message says where they differ, and the whole graph has
// to be lowered as it is.
absl::StatusOr<UnfoldPlan> PlanUnfolding(const Program& program, const FoldedGraph& folded);

// Returns the program that lowering `whole` would have given, with copies of the typical layer's
// ops and kernels for the layers left out, in all phases of the step. Fails as above.
absl::StatusOr<Program> UnfoldRepeats(const Program& program, const FoldedGraph& folded,
                                      const Graph& whole, const UnfoldPlan& plan);

}  // namespace tilewise
