// Pass choose_tiles: how many steps a kernel takes, so that the windows of two
// steps fit the VMEM budget. Matrix kernels search a grid; all others split
// their bytes evenly, as the compiler does for its own count of their work.
// Does not place whole values in VMEM.

#include "sim/lowering/passes.h"
#include "sim/lowering/tile_selection/block_tiles.h"
#include "sim/lowering/tile_selection/even_tiles.h"
#include "sim/lowering/tile_selection/matmul_tiles.h"

namespace tilewise {
namespace {

bool HasConvertedOperand(const Program& program, const Op& op) {
  return IsConverted(program.graph.operand(op, 0).shape.dtype) ||
         IsConverted(program.graph.operand(op, 1).shape.dtype);
}

void TileMatrix(const Program& program, Kernel& kernel, const LoweringContext& context) {
  const Op& root = program.graph.op(kernel.root);
  const std::optional<MatmulCuts>& given = context.options.matmul_cuts;
  if (root.kind == OpKind::kDot && (given || HasConvertedOperand(program, root))) {
    TileMatmul(program, kernel, InputsOfOperands(program, kernel), context);
    kernel.windows.hand_written = given && given->hand_written;
  } else {
    TileBlocks(program, kernel, {}, context.target.chip);
  }
}

}  // namespace

absl::Status RunChooseTiles(Program& program, const LoweringContext& context) {
  const Chip& chip = context.target.chip;
  for (Kernel& kernel : program.kernels) {
    if (kernel.matrix.weight_tiles > 0 && kernel.kind == KernelKind::kMatrix) {
      TileMatrix(program, kernel, context);
    } else {
      TileEvenly(program, kernel, chip);
    }
  }
  return absl::OkStatus();
}

}  // namespace tilewise
