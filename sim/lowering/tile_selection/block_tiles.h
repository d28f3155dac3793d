// Windows of a matrix kernel whose operands the array takes as they are.

#pragma once

#include <vector>

#include "sim/lowering/program.h"
#include "sim/lowering/tile_selection/operand_traffic.h"

namespace tilewise {

// What a kernel finds and leaves on-chip instead of in HBM.
struct OnChip {
  std::vector<bool> inputs;  // of Kernel::inputs; none: all are in HBM
  double written = 0;        // share of what the kernel writes
};

// Sets windows and traffic; what they were before does not matter.
void TileBlocks(const Program& program, Kernel& kernel, const OnChip& on_chip, const Chip& chip);

}  // namespace tilewise
