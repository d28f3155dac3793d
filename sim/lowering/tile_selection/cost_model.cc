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

// Whole tiles of a step's windows of k and of another dim.
double StepTiles(const MatmulGrid& grid, int64_t size, const Chip& chip) {
  return static_cast<double>(CeilDiv(grid.k_size, chip.mxu_side) * CeilDiv(size, chip.mxu_side));
}

double StepCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const MatmulCostModel& model = chip.matmul_cost_model;
  const double partial = model.partial_cycles * ResultRegisters(dims, grid, chip) *
                         (1 - 1 / static_cast<double>(grid.k_windows));
  return ArrayCycles(dims, grid, chip) +
         model.stationary_cycles * StepTiles(grid, grid.m_size, chip) + partial + model.step_cycles;
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

// Cycles of a step's transfers on the busier of the two memories' channels, at their peak. A window
// that stays over the inner loop is loaded once.
double TransferCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const int64_t steps = grid.steps();
  const bool k_whole = grid.k_windows == 1;
  const auto bytes_of = [](int64_t windows, int64_t window_bytes) {
    return static_cast<double>(windows) * static_cast<double>(window_bytes);
  };
  const double lhs = bytes_of(k_whole && grid.m_per_core == 1 ? grid.batch_per_core : steps,
                              grid.k_size * grid.m_size * dims.lhs_bytes);
  const double rhs = bytes_of(k_whole ? grid.batch_per_core * grid.n_per_core : steps,
                              grid.k_size * grid.n_size * dims.rhs_bytes);
  const double written =
      bytes_of(steps / grid.k_windows, grid.m_size * grid.n_size * dims.result_bytes);
  const double on_chip = (dims.lhs_on_chip ? lhs : 0) + (dims.rhs_on_chip ? rhs : 0);
  const double from_hbm = (lhs + rhs + written - on_chip) / chip.hbm_bandwidth.value;
  const double from_chip = chip.cmem > Bytes{} ? on_chip / chip.cmem_bandwidth.value : 0;
  const double cores = Mean(chip.tensor_cores_per_device, steps);
  return std::max(from_hbm, from_chip) * cores * chip.clock_hz;
}

// The array holds tiles of rhs. What it reads of lhs on-chip it reads in place.
double RowMajorCycles(const MatmulDims& dims, const MatmulGrid& grid, double last_kib,
                      const Chip& chip) {
  const MatmulCostModel::RowMajor& model = chip.matmul_cost_model.row_major;
  const double depth = static_cast<double>(CeilDiv(grid.k_size, chip.mxu_side));
  const double mxus = Mean(chip.mxus, chip.tensor_cores_per_device);
  const double array = depth * static_cast<double>(grid.n_size * grid.m_size) /
                       (static_cast<double>(chip.mxu_side) * mxus * chip.mxu_rows_per_cycle);
  const double step = std::max(array, TransferCycles(dims, grid, chip)) +
                      model.stationary_cycles * StepTiles(grid, grid.n_size, chip) +
                      model.streamed_cycles * StepTiles(grid, grid.m_size, chip) +
                      model.step_cycles;
  const FirstWindows first = FirstOf(dims, grid, chip);
  return static_cast<double>(grid.steps()) * step +
         static_cast<double>(grid.steps() / grid.k_windows) * model.result_cycles +
         model.first_hbm_cycles * FromHbm(dims, first) +
         model.first_rhs_cycles * (dims.rhs_on_chip ? first.rhs : 0) + model.last_cycles * last_kib;
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
  if (IsRowMajor(dims)) return RowMajorCycles(dims, grid, last, chip);
  if (TransposesResult(dims)) return TransposedCycles(dims, grid, last, chip);
  const MatmulCostModel& model = chip.matmul_cost_model;
  return static_cast<double>(grid.steps()) * StepCycles(dims, grid, chip) +
         model.first_hbm_cycles * FromHbm(dims, FirstOf(dims, grid, chip)) +
         model.last_cycles * last;
}

}  // namespace tilewise
