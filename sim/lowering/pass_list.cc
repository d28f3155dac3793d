// The lowering path as data: name, whether it may be disabled,
// function, summary.

#include <array>

#include "sim/lowering/passes/passes.h"

namespace tilewise {
namespace {

constexpr std::array<Pass, 10> kPasses = {{
    {"expand_training", false, RunExpandTraining,
     "adds loss, gradients and optimizer update to the forward graph"},
    {"decompose", false, RunDecompose,
     "replaces composite ops by primitive ones"},
    {"simplify", true, RunSimplify,
     "folds constants, merges equal ops, drops unused ones, moves transposes"},
    {"partition", false, RunPartition,
     "makes the step of one core of the mesh: local shapes, collectives"},
    {"assign_layouts", false, RunAssignLayouts,
     "chooses dim order and tile of every value, inserts copies"},
    {"fuse", true, RunFuse, "groups ops into kernels"},
    {"lower_ops", false, RunLowerOps,
     "computes the matrix, vector and memory work of every kernel"},
    {"choose_tiles", false, RunChooseTiles,
     "chooses windows and grid of every kernel within the VMEM"},
    {"place_buffers", false, RunPlaceBuffers,
     "keeps values on-chip, finds live ranges and the HBM peak"},
    {"schedule", true, RunSchedule,
     "orders kernels, merges and overlaps collectives"},
}};

}  // namespace

std::span<const Pass> LoweringPasses() { return kPasses; }

}  // namespace tilewise
