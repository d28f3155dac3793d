// Search over powers of two of blocks per dim.

#include "sim/lowering/passes/matrix_tiles.h"

#include <algorithm>
#include <limits>

#include "sim/lowering/passes/window_overhead.h"

namespace tilewise {
namespace {

constexpr double kMaxBlocks = 4096;  // per dim

MatrixGrid Evaluate(const MatrixBytes& bytes, double m, double n, double k,
                    const Chip& chip) {
  MatrixGrid grid;
  grid.steps = m * n * k;
  grid.m_blocks = m;
  grid.n_blocks = n;
  grid.window =
      bytes.lhs / (m * k) + bytes.rhs / (k * n) + bytes.result / (m * n);
  // With the whole depth in one window, one operand's block stays over the
  // inner loop; the cheaper loop order is taken.
  const double rows_outer = bytes.lhs + bytes.rhs * (n == 1 ? 1 : m);
  const double columns_outer = bytes.rhs + bytes.lhs * (m == 1 ? 1 : n);
  grid.reads = k == 1 ? std::min(rows_outer, columns_outer)
                      : bytes.lhs * n + bytes.rhs * m;
  grid.fits =
      2 * grid.window <= static_cast<double>(chip.vmem_window_budget.value);
  return grid;
}

double Score(const MatrixBytes& bytes, const MatrixGrid& grid,
             const Chip& chip) {
  const double first = grid.window;
  return (grid.reads + bytes.result + first) / chip.hbm_bandwidth.value +
         grid.steps * WindowOverhead(chip).value;
}

// No grid of at least as many blocks along each dim scores less: reads and
// steps only grow with the blocks.
double LeastOfFiner(const MatrixBytes& bytes, const MatrixGrid& grid,
                    const Chip& chip) {
  MatrixGrid bound = grid;
  bound.window = 0;
  return Score(bytes, bound, chip);
}

}  // namespace

MatrixGrid ChooseMatrixGrid(const MatrixBytes& bytes, const Chip& chip) {
  MatrixGrid best;
  double least = std::numeric_limits<double>::infinity();
  const double max_m = std::min(bytes.max_m_blocks, kMaxBlocks);
  const double max_n = std::min(bytes.max_n_blocks, kMaxBlocks);
  const double max_k = std::min(bytes.max_k_blocks, kMaxBlocks);
  const auto is_hopeless = [&](const MatrixGrid& grid) {
    return best.fits && LeastOfFiner(bytes, grid, chip) >= least;
  };
  for (double k = 1; k <= max_k; k *= 2) {
    if (is_hopeless(Evaluate(bytes, 1, 1, k, chip))) break;
    for (double n = 1; n <= max_n; n *= 2) {
      if (is_hopeless(Evaluate(bytes, 1, n, k, chip))) break;
      for (double m = 1; m <= max_m; m *= 2) {
        const MatrixGrid grid = Evaluate(bytes, m, n, k, chip);
        if (is_hopeless(grid)) break;
        if (!grid.fits && (best.fits || grid.window >= best.window) &&
            best.window > 0) {
          continue;
        }
        const double score = Score(bytes, grid, chip);
        if (grid.fits && best.fits && score >= least) continue;
        best = grid;
        least = score;
      }
    }
  }
  return best;
}

}  // namespace tilewise
