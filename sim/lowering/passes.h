// The passes of the lowering path, in their order. Each leaves a graph that
// verifies; what a pass fills is said in program.h.

#pragma once

#include "base/status.h"
#include "sim/lowering/lower.h"

namespace tilewise {

// Shares positions out where the mesh says so, then adds loss, gradients and
// optimizer update to the forward graph; not when inference is lowered.
absl::Status RunExpandTraining(Program& program, const LoweringContext& context);

// Replaces composite ops by primitive ones, with statistics in f32.
absl::Status RunDecompose(Program& program, const LoweringContext& context);

// Folds constants, merges equal ops, drops unused ones and applies identities
// until nothing changes.
absl::Status RunSimplify(Program& program, const LoweringContext& context);

// Makes the step that one core of the mesh runs: local shapes, collectives.
absl::Status RunPartition(Program& program, const LoweringContext& context);

// Writes out the rounding of matmuls that are quantised as they run.
absl::Status RunQuantize(Program& program, const LoweringContext& context);

// Chooses the dim order and tile of every value; inserts copies.
absl::Status RunAssignLayouts(Program& program, const LoweringContext& context);

// Groups ops into kernels.
absl::Status RunFuse(Program& program, const LoweringContext& context);

// Computes the matrix, vector and memory work of every kernel.
absl::Status RunLowerOps(Program& program, const LoweringContext& context);

// Chooses how many steps each kernel takes to stay within VMEM.
absl::Status RunChooseTiles(Program& program, const LoweringContext& context);

// Finds the live range of every buffer and the peak of HBM.
absl::Status RunPlaceBuffers(Program& program, const LoweringContext& context);

// Orders kernels; merges and overlaps collectives.
absl::Status RunSchedule(Program& program, const LoweringContext& context);

// Has kernels run again when the step does not fit otherwise.
absl::Status RunRematerialize(Program& program, const LoweringContext& context);

}  // namespace tilewise
