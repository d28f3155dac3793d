// Search over powers of two of blocks per dim, and of matmuls per window.

#include "sim/lowering/tile_selection/matrix_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewise {
namespace {

constexpr double kMaxBlocks = 4096;  // per dim

// The grid that reads less is taken among grids that take nearly the same time:
// bytes that hide behind the array's work hold up what else uses HBM. The share
// is assumed, and small, as a grid may cost so much of its reads' time more
// than the fastest.
constexpr double kHiddenBytes = 1.0 / 256;

struct Blocks {
  double m = 1, n = 1, k = 1;
};

// Times that each byte is read.
struct Times {
  double lhs = 1, rhs = 1;
};

// Where one window has the whole depth, one operand's block stays over the
// inner loop; the cheaper loop order is taken.
Times TimesOf(const MatrixBytes& bytes, const Blocks& blocks) {
  Times times = {blocks.n, blocks.m};
  if (blocks.k == 1) {
    const bool rows_outer = bytes.lhs.hbm * (blocks.n - 1) >= bytes.rhs.hbm * (blocks.m - 1);
    (rows_outer ? times.lhs : times.rhs) = 1;
  }
  return times;
}

WindowBytes ReadBy(const MatrixBytes& bytes, const Times& times) {
  return bytes.lhs * times.lhs + bytes.rhs * times.rhs + bytes.beside;
}

double Hidden(double read, const WindowCosts& costs) { return kHiddenBytes * read * costs.hbm; }

double Score(const MatrixBytes& bytes, const MatrixGrid& grid, const WindowCosts& costs) {
  WindowTraffic traffic;
  traffic.steps = grid.steps;
  traffic.read = ReadBy(bytes, {grid.lhs_times, grid.rhs_times});
  traffic.written = bytes.written;
  traffic.first_read = bytes.lhs * (1 / grid.lhs_windows) + bytes.rhs * (1 / grid.rhs_windows) +
                       bytes.beside * (1 / grid.steps);
  traffic.last_write = bytes.written * (1 / grid.results);
  return WindowTime(costs, traffic) + Hidden(traffic.read.hbm, costs);
}

class Search {
 public:
  Search(const MatrixBytes& bytes, const WindowCosts& costs, const Chip& chip)
      : bytes_(bytes),
        costs_(costs),
        budget_(static_cast<double>(chip.vmem_window_budget.value) / 2),
        one_(WindowOf(bytes.batch)),
        ends_{bytes.lhs.hbm / bytes.batch, bytes.rhs.hbm / bytes.batch,
              bytes.written.hbm / bytes.batch} {}

  MatrixGrid Run() {
    for (double together = 2; together < 2 * bytes_.batch; together *= 2) {
      const double windows = std::ceil(bytes_.batch / std::min(together, bytes_.batch));
      Consider({}, windows, WindowOf(windows).all());
    }
    const Blocks most = {std::min(bytes_.max_m_blocks, kMaxBlocks),
                         std::min(bytes_.max_n_blocks, kMaxBlocks),
                         std::min(bytes_.max_k_blocks, kMaxBlocks)};
    for (double k = 1; k <= most.k; k *= 2) {
      if (IsHopeless({1, 1, k})) break;
      for (double n = 1; n <= most.n; n *= 2) {
        if (IsHopeless({1, n, k})) break;
        ConsiderRows(n, k, most.m);
      }
    }
    return best_;
  }

 private:
  // Bytes of one window of each value.
  struct Window {
    double lhs = 0, rhs = 0, result = 0;
    double all() const { return lhs + rhs + result; }
  };

  // Returns the window with all dims whole and the batch in so many parts.
  Window WindowOf(double parts) const {
    return {bytes_.lhs.all() / parts, bytes_.rhs.all() / parts,
            (bytes_.beside + bytes_.written).all() / parts};
  }

  void ConsiderRows(double n, double k, double max_m) {
    // Shares of powers of two are exact.
    const double per_n = 1 / n;
    const double per_k = 1 / k;
    const double rhs = one_.rhs * (per_k * per_n);
    // However many rows of lhs there are, a first window has all of rhs's.
    const double rhs_end = ends_.rhs * (per_k * per_n);
    double per_m = 1;
    for (double m = 1; m <= max_m; m *= 2, per_m /= 2) {
      const double window = one_.lhs * (per_m * per_k) + rhs + one_.result * (per_m * per_n);
      if (window > budget_ && IsBounded()) continue;
      const Blocks blocks = {m, n, k};
      if (IsHopeless(blocks, rhs_end)) break;
      const double end = rhs_end + (ends_.lhs * per_k + ends_.result * per_n) * per_m;
      if (IsHopeless(blocks, end)) continue;
      Consider(blocks, bytes_.batch, window);
    }
  }

  // Returns whether no grid of at least as many blocks along each dim, which
  // reads or writes `end` with nothing that overlaps it, scores less than the
  // best: all bytes and steps only grow with the blocks.
  bool IsHopeless(const Blocks& blocks, double end = 0) const {
    if (!IsBounded()) return false;
    const double steps = bytes_.batch * blocks.m * blocks.n * blocks.k;
    const double read = ReadBy(bytes_, TimesOf(bytes_, blocks)).hbm;
    return LeastWindowTime(costs_, steps, read + bytes_.written.hbm, end) + Hidden(read, costs_) >=
           least_;
  }

  // Returns whether some grid fits.
  bool IsBounded() const { return least_ < std::numeric_limits<double>::infinity(); }

  // The batch is in `parts`.
  MatrixGrid GridOf(const Blocks& blocks, double parts, double window) const {
    const auto [m, n, k] = blocks;
    const Times times = TimesOf(bytes_, blocks);
    MatrixGrid grid;
    grid.window = window;
    grid.fits = window <= budget_;
    grid.steps = parts * m * n * k;
    grid.m_blocks = m;
    grid.n_blocks = n;
    grid.lhs_times = times.lhs;
    grid.rhs_times = times.rhs;
    grid.lhs_windows = parts * m * k;
    grid.rhs_windows = parts * k * n;
    grid.results = parts * m * n;
    return grid;
  }

  // The one that scores least, or while none fits the smallest.
  void Consider(const Blocks& blocks, double parts, double window) {
    const MatrixGrid grid = GridOf(blocks, parts, window);
    if (grid.fits) {
      const double score = Score(bytes_, grid, costs_);
      if (score >= least_) return;
      least_ = score;
    } else if (IsBounded() || (best_.window > 0 && window >= best_.window)) {
      return;
    }
    best_ = grid;
  }

  const MatrixBytes& bytes_;
  const WindowCosts& costs_;
  const double budget_;  // of a window that has two buffers
  const Window one_;     // of one matmul of the batch, uncut
  const Window ends_;    // of that, what HBM brings and takes
  MatrixGrid best_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

MatrixGrid ChooseMatrixGrid(const MatrixBytes& bytes, const WindowCosts& costs, const Chip& chip) {
  return Search(bytes, costs, chip).Run();
}

}  // namespace tilewise
