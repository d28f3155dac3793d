// The lowering path as data: name, whether it may be disabled,
// what it works on, whether a compiler's dump stands for it,
// function, summary.

#include <array>

#include "sim/lowering/passes.h"

namespace tilewise {
namespace {

constexpr std::array<Pass, 12> kPasses = {{
    {"expand_training", false, PassStage::kGraph, true, RunExpandTraining,
     "adds loss, gradients and optimizer update to the forward graph"},
    {"decompose", false, PassStage::kGraph, true, RunDecompose,
     "replaces composite ops by primitive ones"},
    {"simplify", true, PassStage::kGraph, true, RunSimplify,
     "folds constants, merges equal ops, drops unused ones, moves transposes"},
    {"partition", false, PassStage::kGraph, true, RunPartition,
     "makes the step of one core of the mesh: local shapes, collectives"},
    {"quantize", true, PassStage::kGraph, true, RunQuantize,
     "rounds the operands of matmuls that are quantised as they run"},
    {"assign_layouts", false, PassStage::kKernels, true, RunAssignLayouts,
     "chooses dim order and tile of every value, inserts copies"},
    {"fuse", true, PassStage::kKernels, true, RunFuse, "groups ops into kernels"},
    {"lower_ops", false, PassStage::kKernels, false, RunLowerOps,
     "computes the matrix, vector and memory work of every kernel"},
    {"choose_tiles", false, PassStage::kKernels, false, RunChooseTiles,
     "chooses windows and grid of every kernel within the VMEM"},
    {"place_buffers", false, PassStage::kWholeStep, false, RunPlaceBuffers,
     "keeps values on-chip, finds live ranges and the HBM peak"},
    {"schedule", true, PassStage::kWholeStep, false, RunSchedule,
     "orders kernels, merges and overlaps collectives"},
    {"rematerialize", true, PassStage::kWholeStep, false, RunRematerialize,
     "runs kernels again, to free memory, when the step does not fit"},
}};

}  // namespace

std::span<const Pass> LoweringPasses() { return kPasses; }

}  // namespace tilewise
