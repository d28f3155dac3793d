// The lowering path as data: name, whether it may be disabled, function.

#include <array>

#include "sim/lowering/passes/passes.h"

namespace tilewise {
namespace {

constexpr std::array<Pass, 10> kPasses = {{
    {"expand_training", false, RunExpandTraining},
    {"decompose", false, RunDecompose},
    {"simplify", true, RunSimplify},
    {"partition", false, RunPartition},
    {"assign_layouts", false, RunAssignLayouts},
    {"fuse", true, RunFuse},
    {"lower_ops", false, RunLowerOps},
    {"choose_tiles", false, RunChooseTiles},
    {"place_buffers", false, RunPlaceBuffers},
    {"schedule", true, RunSchedule},
}};

}  // namespace

std::span<const Pass> LoweringPasses() { return kPasses; }

}  // namespace tilewise
