// The search tries all near-equal cuts of the three dims. A dim that lies in
// the sublanes of both of its values is cut by rows of a tile, any other by
// lanes.

#include "sim/lowering/tile_selection/matmul_grid.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/math.h"
#include "sim/lowering/tile_selection/cost_model.h"

namespace tilewise {
namespace {

// The search tries every number of windows of a dim only below this one.
constexpr int64_t kEveryCountBelow = 32;

// Costs that differ by no more, as sums in another order do, are equal.
constexpr double kSame = 1e-9;

struct Cut {
  int64_t size = 1;
  int64_t windows = 1;
  double cover = 1;  // tiles of whole windows over those of the dim
};

Cut CutInto(int64_t dim, int64_t unit, int64_t count) {
  const int64_t tiles = CeilDiv(dim, unit);
  const int64_t size = CeilDiv(tiles, count);
  const int64_t windows = CeilDiv(tiles, size);
  return {size * unit, windows, static_cast<double>(size * windows) / static_cast<double>(tiles)};
}

std::vector<Cut> Cuts(int64_t dim, int64_t unit) {
  std::vector<Cut> cuts;
  const int64_t tiles = CeilDiv(dim, unit);
  for (int64_t count = 1; count <= tiles; count += std::max<int64_t>(1, count / kEveryCountBelow)) {
    const Cut cut = CutInto(dim, unit, count);
    if (cuts.empty() || cut.size < cuts.back().size) cuts.push_back(cut);
  }
  return cuts;
}

struct Units {
  int64_t m, n, k;
};

Units UnitsOf(const MatmulDims& dims, const Chip& chip) {
  const auto unit = [&](bool sublanes) { return sublanes ? chip.sublanes : chip.lanes; };
  return {unit(!dims.lhs_transposed && !dims.result_transposed),
          unit(dims.rhs_transposed && dims.result_transposed),
          unit(dims.lhs_transposed && !dims.rhs_transposed)};
}

MatmulGrid MakeGrid(const MatmulDims& dims, const Cut& n, const Cut& m, const Cut& k,
                    bool cores_share_n, const Chip& chip) {
  const int64_t cores = chip.tensor_cores_per_device;
  MatmulGrid grid;
  grid.n_windows = grid.n_per_core = n.windows;
  grid.m_windows = grid.m_per_core = m.windows;
  grid.k_windows = k.windows;
  grid.n_size = n.size;
  grid.m_size = m.size;
  grid.k_size = k.size;
  grid.n_cover = n.cover;
  grid.m_cover = m.cover;
  grid.cores_share_n = cores_share_n;
  grid.batch_per_core = dims.batch > 1 ? CeilDiv(dims.batch, cores) : 1;
  if (dims.batch > 1) return grid;
  int64_t& shared = cores_share_n ? grid.n_per_core : grid.m_per_core;
  shared = CeilDiv(shared, cores);
  return grid;
}

bool IsOneTile(const MatmulDims& dims, const Chip& chip) {
  return std::max({dims.m, dims.n, dims.k}) <= chip.lanes;
}

// Returns whether one operand is larger than the other and than the result.
bool HasLargestOperand(const MatmulDims& dims) {
  return dims.m != dims.n && dims.k > std::min(dims.m, dims.n);
}

// A matmul within one tile is shared out only where an operand is the largest of its values, as the
// times of 179 in tpu-v4-gemm tell. The windows of the operand that HBM brings are shared out, if
// there is more than one, else the other's; in all of tpu-v4-odd-gemm. With both in HBM either is.
bool CanShare(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  if (chip.tensor_cores_per_device == 1 || dims.batch > 1) {
    return grid.cores_share_n;  // the flag tells nothing: one of both is enough
  }
  const bool n_is_cut = grid.n_windows > 1;
  const bool m_is_cut = grid.m_windows > 1;
  if (IsOneTile(dims, chip) && (n_is_cut || m_is_cut) != HasLargestOperand(dims)) return false;
  if (!n_is_cut && !m_is_cut) {
    return grid.cores_share_n && std::max(dims.n, dims.m) <= chip.lanes;
  }
  if (n_is_cut != m_is_cut) return grid.cores_share_n == n_is_cut;
  if (dims.lhs_on_chip == dims.rhs_on_chip) return true;
  return grid.cores_share_n == dims.lhs_on_chip;
}

}  // namespace

Bytes GridBytes(const MatmulDims& dims, const MatmulGrid& grid) {
  constexpr int64_t kBuffers = 2;
  constexpr int64_t kAccumulatorBytes = 4;
  const int64_t lhs = grid.k_size * grid.m_size * dims.lhs_bytes;
  const int64_t rhs = grid.k_size * grid.n_size * dims.rhs_bytes;
  const int64_t elements = grid.m_size * grid.n_size;
  return {kBuffers * (lhs + rhs + elements * dims.result_bytes) + kAccumulatorBytes * elements};
}

MatmulGrid ChooseMatmulGrid(const MatmulDims& dims, const Chip& chip) {
  const Units units = UnitsOf(dims, chip);
  const std::vector<Cut> k_cuts = Cuts(dims.k, units.k);
  const std::vector<Cut> m_cuts = Cuts(dims.m, units.m);
  const Bytes budget = {chip.vmem_window_budget.value / chip.tensor_cores_per_device};
  MatmulGrid best;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const MatmulGrid& grid) {
    if (!CanShare(dims, grid, chip) || GridBytes(dims, grid) > budget) return;
    const double cycles = CostModelCycles(dims, grid, chip);
    if (cycles >= least * (1 - kSame)) return;
    least = cycles;
    best = grid;
  };
  MatmulGrid smallest;
  for (const Cut& n : Cuts(dims.n, units.n)) {
    for (const Cut& m : m_cuts) {
      for (const bool cores_share_n : {true, false}) {
        for (const Cut& k : k_cuts) {
          smallest = MakeGrid(dims, n, m, k, cores_share_n, chip);
          consider(smallest);
        }
      }
    }
  }
  return least < std::numeric_limits<double>::infinity() ? best : smallest;
}

MatmulGrid GivenMatmulGrid(const MatmulDims& dims, const MatmulCuts& cuts, const Chip& chip) {
  const Units units = UnitsOf(dims, chip);
  return MakeGrid(dims, CutInto(dims.n, units.n, cuts.n), CutInto(dims.m, units.m, cuts.m),
                  CutInto(dims.k, units.k, cuts.k), cuts.cores_share_n, chip);
}

}  // namespace tilewise
