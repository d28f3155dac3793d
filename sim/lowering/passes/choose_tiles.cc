// Pass choose_tiles: how many steps a kernel takes, so that the windows of two
// steps fit the VMEM budget. Matrix kernels search a grid; all others split
// their bytes evenly, as the compiler does for its own count of their work.
// Does not place whole values in VMEM.

#include <algorithm>
#include <cmath>

#include "sim/lowering/passes/even_tiles.h"
#include "sim/lowering/passes/matrix_tiles.h"
#include "sim/lowering/passes/passes.h"
#include "sim/lowering/passes/product_tiles.h"

namespace tilewise {
namespace {

Bytes PaddedOf(const Program& program, OpId id, const Chip& chip) {
  return PaddedBytes(program.graph.op(id).shape,
                     program.layouts[static_cast<size_t>(id)], chip);
}

bool Has(const std::vector<OpId>& ids, OpId id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

// Follows an operand of the matrix op through the kernel to the values that are
// read for it, its prologue; marks them.
std::vector<OpId> InputsOf(const Program& program, const Kernel& kernel,
                           OpId id, std::vector<OpId>& seen) {
  std::vector<OpId> inputs;
  std::vector<OpId> pending = {id};
  while (!pending.empty()) {
    const OpId next = pending.back();
    pending.pop_back();
    if (std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
    seen.push_back(next);
    if (Has(kernel.inputs, next)) {
      inputs.push_back(next);
    } else if (Has(kernel.ops, next)) {
      for (const OpId operand : program.graph.op(next).operands) {
        pending.push_back(operand);
      }
    }
  }
  return inputs;
}

Bytes PaddedOf(const Program& program, const std::vector<OpId>& ids,
               const Chip& chip) {
  Bytes sum;
  for (const OpId id : ids) sum += PaddedOf(program, id, chip);
  return sum;
}

int64_t Blocks(int64_t bytes, int64_t block) {
  return std::max<int64_t>(1, bytes / block);
}

bool HasConvertedOperand(const Program& program, const Op& op) {
  return IsConverted(program.graph.operand(op, 0).shape.dtype) ||
         IsConverted(program.graph.operand(op, 1).shape.dtype);
}

// Products side by side.
int64_t BatchOf(const Program& program, const Op& op) {
  if (op.kind != OpKind::kDot) return 1;
  const Shape& lhs = program.graph.operand(op, 0).shape;
  int64_t batch = 1;
  for (const int64_t dim : op.attrs->dot->lhs_batch) batch *= lhs.size(dim);
  return std::max<int64_t>(1, batch);
}

void TileBlocks(const Program& program, Kernel& kernel,
                const OperandInputs& inputs, const Chip& chip) {
  const Bytes lhs = PaddedOf(program, inputs.lhs, chip);
  const Bytes rhs = PaddedOf(program, inputs.rhs, chip);
  const Bytes beside = kernel.hbm_read - lhs - rhs + kernel.hbm_write;
  const int64_t tile = chip.sublanes * chip.lanes * 4;
  MatrixBytes bytes;
  bytes.lhs = static_cast<double>(lhs.value);
  bytes.rhs = static_cast<double>(rhs.value);
  bytes.result = static_cast<double>(std::max(Bytes{0}, beside).value);
  // Blocks of whole tiles: no dim is cut finer than the two values it is in.
  const int64_t batch = BatchOf(program, program.graph.op(kernel.root));
  const int64_t lhs_tiles = Blocks(lhs.value, tile * batch);
  const int64_t rhs_tiles = Blocks(rhs.value, tile * batch);
  const int64_t result_tiles = Blocks(kernel.hbm_write.value, tile * batch);
  bytes.batch = static_cast<double>(batch);
  bytes.max_m_blocks = static_cast<double>(std::min(lhs_tiles, result_tiles));
  bytes.max_n_blocks = static_cast<double>(std::min(rhs_tiles, result_tiles));
  bytes.max_k_blocks = static_cast<double>(std::min(lhs_tiles, rhs_tiles));
  const MatrixGrid grid = ChooseMatrixGrid(bytes, chip);
  const Bytes again = {static_cast<int64_t>(grid.reads) - (lhs + rhs).value};
  kernel.hbm_read += std::max(Bytes{0}, again);
  SetSteps(kernel, static_cast<int64_t>(grid.steps),
           {static_cast<int64_t>(std::ceil(grid.window))}, chip);
  ConvertOperands(program, kernel, grid.n_blocks, grid.m_blocks, chip);
}

void TileMatrix(const Program& program, Kernel& kernel,
                const LoweringContext& context) {
  const Op& root = program.graph.op(kernel.root);
  std::vector<OpId> seen;
  OperandInputs inputs;
  inputs.lhs = InputsOf(program, kernel, root.operands[0], seen);
  inputs.rhs = InputsOf(program, kernel, root.operands[1], seen);
  const std::optional<ProductCuts>& given = context.options.product_cuts;
  if (root.kind == OpKind::kDot &&
      (given || HasConvertedOperand(program, root))) {
    TileProduct(program, kernel, inputs, context);
    kernel.windows.hand_written = given && given->hand_written;
  } else {
    TileBlocks(program, kernel, inputs, context.target.chip);
  }
}

}  // namespace

absl::Status RunChooseTiles(Program& program, const LoweringContext& context) {
  const Chip& chip = context.target.chip;
  for (Kernel& kernel : program.kernels) {
    if (kernel.matrix.weight_tiles > 0 && kernel.kind == KernelKind::kMatrix) {
      TileMatrix(program, kernel, context);
    } else {
      SplitEvenly(kernel, chip, WantedSteps(program, kernel, chip));
    }
  }
  return absl::OkStatus();
}

}  // namespace tilewise
