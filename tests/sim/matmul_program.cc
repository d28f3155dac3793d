// Programs of one or a few kernels, built by hand.

#include "tests/sim/matmul_program.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace tilewise {
namespace {

// Largest block of `size` of at most `most`.
int64_t Block(int64_t size, int64_t most) { return std::min(size, most); }

int64_t Draw(std::mt19937& random, double largest) {
  const double exponent = std::uniform_real_distribution<>(0, 1)(random);
  return static_cast<int64_t>(std::pow(largest, exponent));
}

}  // namespace

Program MatmulProgram(int64_t m, int64_t k, int64_t n, const Chip& chip) {
  const bool roomy = chip.vmem_window_budget >= Bytes{15 << 20};
  const int64_t bm = Block(RoundUp(m, 8), roomy ? 2048 : 1024);
  const int64_t bn = Block(RoundUp(n, 128), 1024);
  const int64_t bk = Block(k, 512);
  Kernel kernel;
  kernel.kind = KernelKind::kMatrix;
  kernel.matrix.weight_tiles = CeilDiv(k, chip.mxu_side) * CeilDiv(n, chip.mxu_side);
  kernel.matrix.rows_per_tile = RoundUp(m, 8);
  kernel.matrix.useful_flops =
      2.0 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
  const int64_t mb = CeilDiv(m, bm), nb = CeilDiv(n, bn), kb = CeilDiv(k, bk);
  kernel.windows.steps = mb * nb * kb;
  // With one block of rows or columns the other operand is read once.
  kernel.hbm_read = {2 * (m * k * (kb == 1 ? 1 : nb) + k * n * mb)};
  kernel.hbm_write = {2 * RoundUp(m, 8) * RoundUp(n, 128)};
  Program program;
  program.kernels.push_back(kernel);
  return program;
}

Program RandomProgram(uint32_t seed) {
  std::mt19937 random(seed);
  Program program;
  const int64_t kernels = 1 + Draw(random, 12);
  for (int64_t i = 0; i < kernels; ++i) {
    Kernel kernel;
    kernel.windows.steps = Draw(random, 1e6);
    kernel.windows.buffers = Draw(random, 4) > 1 ? 2 : 1;
    kernel.hbm_read = {Draw(random, 1e10)};
    kernel.hbm_write = {Draw(random, 1e9)};
    kernel.repeat = Draw(random, 100);
    kernel.dma_row_efficiency = Draw(random, 4) > 1 ? 1 : 0.25;
    kernel.vector.alu = static_cast<double>(Draw(random, 1e9));
    kernel.vector.loads = static_cast<double>(Draw(random, 1e9));
    kernel.vector.transcendental = static_cast<double>(Draw(random, 1e7));
    kernel.vector.cross_lane = static_cast<double>(Draw(random, 1e6));
    if (i % 3 == 0) {
      kernel.kind = KernelKind::kMatrix;
      kernel.matrix.weight_tiles = Draw(random, 1e5);
      kernel.matrix.rows_per_tile = 8 * Draw(random, 1e4);
      kernel.matrix.passes = Draw(random, 6);
    } else if (i % 5 == 1) {
      kernel = Kernel();
      kernel.kind = KernelKind::kCollective;
      kernel.collective_bytes = {Draw(random, 1e9)};
      kernel.participants = 8;
      kernel.overlappable = Draw(random, 4) > 1;
      kernel.outputs = {static_cast<OpId>(i)};
    }
    if (i > 0) kernel.inputs = {static_cast<OpId>(i - 1)};
    program.kernels.push_back(kernel);
  }
  return program;
}

}  // namespace tilewise
