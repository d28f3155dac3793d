// Search over powers of two of blocks per dim, and of products per window.

#include "sim/lowering/passes/matrix_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/lowering/passes/window_overhead.h"

namespace tilewise {
namespace {

constexpr double kMaxBlocks = 4096;  // per dim

// `together` products of the batch in a window when m, n and k are 1.
MatrixGrid Evaluate(const MatrixBytes& bytes, double m, double n, double k,
                    double together, const Chip& chip) {
  MatrixGrid grid;
  const double windows = std::ceil(bytes.batch / together);
  grid.steps = windows * m * n * k;
  grid.m_blocks = m;
  grid.n_blocks = n;
  grid.window =
      (bytes.lhs / (m * k) + bytes.rhs / (k * n) + bytes.result / (m * n)) /
      windows;
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

class Search {
 public:
  Search(const MatrixBytes& bytes, const Chip& chip)
      : bytes_(bytes), chip_(chip) {}

  MatrixGrid Run() {
    for (double together = 2; together < 2 * bytes_.batch; together *= 2) {
      Consider(
          Evaluate(bytes_, 1, 1, 1, std::min(together, bytes_.batch), chip_));
    }
    const double max_m = std::min(bytes_.max_m_blocks, kMaxBlocks);
    const double max_n = std::min(bytes_.max_n_blocks, kMaxBlocks);
    const double max_k = std::min(bytes_.max_k_blocks, kMaxBlocks);
    for (double k = 1; k <= max_k; k *= 2) {
      if (IsHopeless(Part(1, 1, k))) break;
      for (double n = 1; n <= max_n; n *= 2) {
        if (IsHopeless(Part(1, n, k))) break;
        for (double m = 1; m <= max_m; m *= 2) {
          const MatrixGrid grid = Part(m, n, k);
          if (IsHopeless(grid)) break;
          Consider(grid);
        }
      }
    }
    return best_;
  }

 private:
  MatrixGrid Part(double m, double n, double k) const {
    return Evaluate(bytes_, m, n, k, 1, chip_);
  }
  bool IsHopeless(const MatrixGrid& grid) const {
    return best_.fits && LeastOfFiner(bytes_, grid, chip_) >= least_;
  }
  void Consider(const MatrixGrid& grid) {
    if (!grid.fits && best_.window > 0 &&
        (best_.fits || grid.window >= best_.window)) {
      return;
    }
    const double score = Score(bytes_, grid, chip_);
    if (grid.fits && best_.fits && score >= least_) return;
    best_ = grid;
    least_ = score;
  }

  const MatrixBytes& bytes_;
  const Chip& chip_;
  MatrixGrid best_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

MatrixGrid ChooseMatrixGrid(const MatrixBytes& bytes, const Chip& chip) {
  return Search(bytes, chip).Run();
}

}  // namespace tilewise
