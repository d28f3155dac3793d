// The lowering path as data: name, whether it may be disabled,
// whether it needs all layers, whether a compiler's dump stands for it,
// function, summary.

#include <array>

#include "sim/lowering/passes.h"

namespace tilewise {
namespace {

constexpr std::array<Pass, 12> kPasses = {{
    {"expand_training", false, false, true, RunExpandTraining,
     "adds loss, gradients and optimizer update to the forward graph"},
    {"decompose", false, false, true, RunDecompose, "replaces composite ops by primitive ones"},
    {"simplify", true, false, true, RunSimplify,
     "folds constants, merges equal ops, drops unused ones, moves transposes"},
    {"partition", false, false, true, RunPartition,
     "makes the step of one core of the mesh: local shapes, collectives"},
    {"quantize", true, false, true, RunQuantize,
     "rounds the operands of matmuls that are quantised as they run"},
    {"assign_layouts", false, false, true, RunAssignLayouts,
     "chooses dim order and tile of every value, inserts copies"},
    {"fuse", true, false, true, RunFuse, "groups ops into kernels"},
    {"lower_ops", false, false, false, RunLowerOps,
     "computes the matrix, vector and memory work of every kernel"},
    {"choose_tiles", false, false, false, RunChooseTiles,
     "chooses windows and grid of every kernel within the VMEM"},
    {"place_buffers", false, true, false, RunPlaceBuffers,
     "keeps values on-chip, finds live ranges and the HBM peak"},
    {"schedule", true, true, false, RunSchedule, "orders kernels, merges and overlaps collectives"},
    {"rematerialize", true, true, false, RunRematerialize,
     "runs kernels again, to free memory, when the step does not fit"},
}};

}  // namespace

std::span<const Pass> LoweringPasses() { return kPasses; }

}  // namespace tilewise
