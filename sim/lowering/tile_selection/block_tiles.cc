// From the kernel's values to a grid of blocks, and back to its traffic.

#include "sim/lowering/tile_selection/block_tiles.h"

#include <algorithm>
#include <cmath>

#include "sim/lowering/tile_selection/even_tiles.h"
#include "sim/lowering/tile_selection/matmul_tiles.h"
#include "sim/lowering/tile_selection/matrix_tiles.h"
#include "sim/lowering/tile_selection/window_time.h"

namespace tilewise {
namespace {

// Matmuls of a batched dot.
double BatchOf(const Program& program, const Op& op) {
  if (op.kind != OpKind::kDot) return 1;
  const Shape& lhs = program.graph.operand(op, 0).shape;
  double batch = 1;
  for (const int64_t dim : op.as<DotAttrs>().lhs_batch) {
    batch *= static_cast<double>(lhs.size(dim));
  }
  return std::max(1.0, batch);
}

void Add(Bytes bytes, bool is_on_chip, WindowBytes& sum) {
  (is_on_chip ? sum.on_chip : sum.hbm) += static_cast<double>(bytes.value);
}

// Sorts the bytes by what each input is for. What a kernel reads in addition to
// its inputs, or leaves out of them, is in `beside`.
MatrixBytes BytesOf(const Program& program, const Kernel& kernel, const OperandInputs& inputs,
                    const OnChip& on_chip, const Chip& chip) {
  MatrixBytes bytes;
  bytes.batch = BatchOf(program, program.graph.op(kernel.root));
  Bytes others = ReadOnce(program, kernel, chip);
  for (size_t i = 0; i < kernel.inputs.size(); ++i) {
    const OpId id = kernel.inputs[i];
    const bool is_on_chip = !on_chip.inputs.empty() && on_chip.inputs[i];
    const Bytes size = ValueBytes(program, id, chip);
    const Operand operand = OperandOf(inputs, id);
    if (operand == Operand::kNone && !is_on_chip) continue;
    others -= size;
    if (operand == Operand::kLhs) Add(size, is_on_chip, bytes.lhs);
    if (operand == Operand::kRhs) Add(size, is_on_chip, bytes.rhs);
    if (operand == Operand::kNone) Add(size, true, bytes.beside);
  }
  Add(std::max(Bytes{}, others), false, bytes.beside);
  const auto written = static_cast<double>(kernel.hbm_write.value);
  bytes.written = {written * (1 - on_chip.written), written * on_chip.written};
  return bytes;
}

// Tiles of each matmul of the batch, as they are in the largest of the values.
double TilesOf(const Program& program, const std::vector<OpId>& ids, const WindowBytes& bytes,
               double batch, const Chip& chip) {
  Bytes largest, tile = {1};
  for (const OpId id : ids) {
    const Bytes size = ValueBytes(program, id, chip);
    if (size <= largest) continue;
    largest = size;
    tile = TileBytes(program.graph.op(id).shape, program.layouts[id], chip);
  }
  return std::max(1.0, std::floor(bytes.all() / static_cast<double>(tile.value) / batch));
}

// Blocks of whole tiles: no dim is cut finer than the two values it is in.
void LimitBlocks(const Program& program, const Kernel& kernel, const OperandInputs& inputs,
                 const Chip& chip, MatrixBytes& bytes) {
  const auto tiles = [&](const std::vector<OpId>& ids, const WindowBytes& of_all) {
    return TilesOf(program, ids, of_all, bytes.batch, chip);
  };
  const double lhs = tiles(inputs.lhs, bytes.lhs);
  const double rhs = tiles(inputs.rhs, bytes.rhs);
  const double result = tiles(kernel.outputs, bytes.written);
  bytes.max_m_blocks = std::min(lhs, result);
  bytes.max_n_blocks = std::min(rhs, result);
  bytes.max_k_blocks = std::min(lhs, rhs);
}

}  // namespace

void TileBlocks(const Program& program, Kernel& kernel, const OnChip& on_chip, const Chip& chip) {
  const OperandInputs inputs = InputsOfOperands(program, kernel);
  MatrixBytes bytes = BytesOf(program, kernel, inputs, on_chip, chip);
  LimitBlocks(program, kernel, inputs, chip, bytes);
  const MatrixGrid grid = ChooseMatrixGrid(bytes, CostsOfWindows(kernel, chip), chip);
  const auto steps = static_cast<int64_t>(grid.steps);
  const GridReads reads = {{grid.lhs_times, 1 / grid.lhs_windows},
                           {grid.rhs_times, 1 / grid.rhs_windows}};
  SetTraffic(program, inputs, reads, steps, chip, kernel);
  SetSteps(kernel, steps, {static_cast<int64_t>(std::ceil(grid.window))}, chip);
  kernel.windows.last_write = {static_cast<int64_t>(bytes.written.all() / grid.results)};
  ConvertOperands(program, kernel, grid.n_blocks, grid.m_blocks, chip);
}

}  // namespace tilewise
