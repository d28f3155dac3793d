// Per step, averages of full and cut windows; a register is 8 x 128 elements.

#include "sim/lowering/tile_selection/cost_model.h"

#include <algorithm>

#include "base/math.h"

namespace tilewise {
namespace {

constexpr double kKiB = 1024;

// Returns whether lhs and result both have their rows in the sublanes: the rows
// of lhs pass the array, which holds rhs. The array holds lhs with any other
// layout.
bool IsRowMajor(const MatmulDims& dims) { return !dims.lhs_transposed && !dims.result_transposed; }

double Mean(int64_t dim, int64_t windows) {
  return static_cast<double>(dim) / static_cast<double>(windows);
}

// The rows of lhs lie in the sublanes, those of the result in the lanes: its
// registers are transposed on their way out, and that is what a step waits for.
bool TransposesResult(const MatmulDims& dims) {
  return !dims.lhs_transposed && dims.result_transposed;
}

// Cycles of the array at its peak.
double ArrayCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const double depth = static_cast<double>(CeilDiv(grid.k_size, chip.mxu_side));
  const double result = Mean(dims.n, grid.n_windows) * Mean(dims.m, grid.m_windows);
  const double mxus = Mean(chip.mxus, chip.tensor_cores_per_device);
  return depth * result / (static_cast<double>(chip.mxu_side) * mxus * chip.mxu_rows_per_cycle);
}

double ResultRegisters(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  return Mean(dims.n, grid.n_windows) * Mean(dims.m, grid.m_windows) /
         static_cast<double>(chip.sublanes * chip.lanes);
}

double StepCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const MatmulCostModel& model = chip.matmul_cost_model;
  const auto tiles = [&](int64_t size) {
    return static_cast<double>(CeilDiv(grid.k_size, chip.mxu_side) * CeilDiv(size, chip.mxu_side));
  };
  const double partial = model.partial_cycles * ResultRegisters(dims, grid, chip) *
                         (1 - 1 / static_cast<double>(grid.k_windows));
  const double loads = IsRowMajor(dims) ? model.stationary_cycles * tiles(grid.n_size) +
                                              model.streamed_cycles * tiles(grid.m_size)
                                        : model.stationary_cycles * tiles(grid.m_size);
  return ArrayCycles(dims, grid, chip) + loads + partial + model.step_cycles;
}

struct FirstWindows {
  double lhs = 0, rhs = 0;  // KiB
};

// The cores both wait for a window that both of them read.
FirstWindows FirstOf(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const bool one_each = dims.batch > 1 || chip.tensor_cores_per_device == 1;
  const auto kib = [&](int64_t size, int64_t bytes, bool on_chip, bool shared_out) {
    const double window = static_cast<double>(grid.k_size * size * bytes);
    const bool both = !on_chip && !shared_out && !one_each;
    return window * static_cast<double>(both ? chip.tensor_cores_per_device : 1) / kKiB;
  };
  return {kib(grid.m_size, dims.lhs_bytes, dims.lhs_on_chip, !grid.cores_share_n),
          kib(grid.n_size, dims.rhs_bytes, dims.rhs_on_chip, grid.cores_share_n)};
}

double FromHbm(const MatmulDims& dims, const FirstWindows& first) {
  return (dims.lhs_on_chip ? 0 : first.lhs) + (dims.rhs_on_chip ? 0 : first.rhs);
}

double FirstCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const FirstWindows first = FirstOf(dims, grid, chip);
  if (IsRowMajor(dims)) return chip.matmul_cost_model.first_cycles * (first.lhs + first.rhs);
  return chip.matmul_cost_model.first_hbm_cycles * FromHbm(dims, first);
}

// While rows of rhs pass, the array loads the next tile of lhs: it waits where
// they are fewer than that tile has. A window of rhs that replaces one which
// stayed over the inner loop is loaded while nothing else runs, like the first.
double TransposedCycles(const MatmulDims& dims, const MatmulGrid& grid, double last_kib,
                        const Chip& chip) {
  const MatmulCostModel::Transposed& model = chip.matmul_cost_model.transposed;
  const double rhs_tiles = static_cast<double>(CeilDiv(grid.k_size, chip.mxu_side) *
                                               CeilDiv(grid.n_size, chip.mxu_side));
  const double rows = Mean(dims.n, grid.n_windows);
  const double waiting = std::max(1.0, static_cast<double>(chip.mxu_side) / rows);
  const double step = ArrayCycles(dims, grid, chip) * waiting +
                      (dims.rhs_on_chip ? model.streamed_cycles * rhs_tiles : 0) +
                      model.result_cycles * ResultRegisters(dims, grid, chip) + model.step_cycles;
  const double rhs_kib = static_cast<double>(grid.k_size * grid.n_size * dims.rhs_bytes) / kKiB;
  const double replaced =
      grid.k_windows > 1 ? 0 : rhs_kib * static_cast<double>(grid.n_per_core - 1);
  return static_cast<double>(grid.steps()) * step +
         model.first_cycles * (FromHbm(dims, FirstOf(dims, grid, chip)) + replaced) +
         model.last_cycles * last_kib;
}

}  // namespace

double CostModelCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const double last = static_cast<double>(grid.n_size * grid.m_size * dims.result_bytes) / kKiB;
  if (TransposesResult(dims)) return TransposedCycles(dims, grid, last, chip);
  return static_cast<double>(grid.steps()) * StepCycles(dims, grid, chip) +
         FirstCycles(dims, grid, chip) + chip.matmul_cost_model.last_cycles * last;
}

}  // namespace tilewise
