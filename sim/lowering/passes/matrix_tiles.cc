// Search over powers of two of blocks per dim, and of products per window.

#include "sim/lowering/passes/matrix_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewise {
namespace {

constexpr double kMaxBlocks = 4096;  // per dim

// Among grids that take nearly the same time, the one that reads less: bytes
// that hide behind the array's work hold up what else uses HBM. Assumed, and
// small, as a grid may cost so much of its reads' time more than the fastest.
constexpr double kHiddenBytes = 1.0 / 256;

// `together` products of the batch in a window when m, n and k are 1.
MatrixGrid Evaluate(const MatrixBytes& bytes, double m, double n, double k,
                    double together, const Chip& chip) {
  MatrixGrid grid;
  const double windows =
      together == 1 ? bytes.batch : std::ceil(bytes.batch / together);
  grid.steps = windows * m * n * k;
  grid.m_blocks = m;
  grid.n_blocks = n;
  grid.lhs_windows = windows * m * k;
  grid.rhs_windows = windows * k * n;
  grid.results = windows * m * n;
  grid.window = bytes.lhs.all() / grid.lhs_windows +
                bytes.rhs.all() / grid.rhs_windows +
                (bytes.beside + bytes.written).all() / grid.results;
  grid.lhs_times = n;
  grid.rhs_times = m;
  // With the whole depth in one window, one operand's block stays over the
  // inner loop; the cheaper loop order is taken.
  if (k == 1) {
    const bool rows_outer = bytes.lhs.hbm * (n - 1) >= bytes.rhs.hbm * (m - 1);
    (rows_outer ? grid.lhs_times : grid.rhs_times) = 1;
  }
  grid.fits =
      2 * grid.window <= static_cast<double>(chip.vmem_window_budget.value);
  return grid;
}

WindowBytes ReadBy(const MatrixBytes& bytes, const MatrixGrid& grid) {
  return bytes.lhs * grid.lhs_times + bytes.rhs * grid.rhs_times + bytes.beside;
}

double Hidden(double read, const WindowCosts& costs) {
  return kHiddenBytes * read * costs.hbm;
}

double Score(const MatrixBytes& bytes, const MatrixGrid& grid,
             const WindowCosts& costs) {
  WindowTraffic traffic;
  traffic.steps = grid.steps;
  traffic.read = ReadBy(bytes, grid);
  traffic.written = bytes.written;
  traffic.first_read = bytes.lhs * (1 / grid.lhs_windows) +
                       bytes.rhs * (1 / grid.rhs_windows) +
                       bytes.beside * (1 / grid.steps);
  traffic.last_write = bytes.written * (1 / grid.results);
  return WindowTime(costs, traffic) + Hidden(traffic.read.hbm, costs);
}

class Search {
 public:
  Search(const MatrixBytes& bytes, const WindowCosts& costs, const Chip& chip)
      : bytes_(bytes), costs_(costs), chip_(chip) {}

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
        // However many rows of lhs there are, a first window has all of rhs's.
        const double ends = bytes_.rhs.hbm / (bytes_.batch * k * n);
        for (double m = 1; m <= max_m; m *= 2) {
          const MatrixGrid grid = Part(m, n, k);
          if (!grid.fits && best_.fits) continue;
          if (IsHopeless(grid, ends)) break;
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
  // No grid of at least as many blocks along each dim, which reads or writes
  // `ends` with nothing beside it, scores less than the best: all bytes and
  // steps only grow with the blocks.
  bool IsHopeless(const MatrixGrid& grid, double ends = 0) const {
    if (!best_.fits) return false;
    const double read = ReadBy(bytes_, grid).hbm;
    return LeastWindowTime(costs_, grid.steps, read + bytes_.written.hbm,
                           ends) +
               Hidden(read, costs_) >=
           least_;
  }
  // The one that scores least, or while none fits the smallest.
  void Consider(const MatrixGrid& grid) {
    if (!grid.fits) {
      const bool is_first = best_.window == 0;
      if (is_first || (!best_.fits && grid.window < best_.window)) best_ = grid;
      return;
    }
    const double score = Score(bytes_, grid, costs_);
    if (score >= least_) return;
    best_ = grid;
    least_ = score;
  }

  const MatrixBytes& bytes_;
  const WindowCosts& costs_;
  const Chip& chip_;
  MatrixGrid best_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

MatrixGrid ChooseMatrixGrid(const MatrixBytes& bytes, const WindowCosts& costs,
                            const Chip& chip) {
  return Search(bytes, costs, chip).Run();
}

}  // namespace tilewise
