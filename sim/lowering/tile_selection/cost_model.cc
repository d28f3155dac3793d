// Per step, averages of full and cut windows; a register is 8 x 128 elements.

#include "sim/lowering/tile_selection/cost_model.h"

#include "base/math.h"

namespace tilewise {
namespace {

constexpr double kKiB = 1024;

// Both lhs and result with their rows in the sublanes: the rows of lhs pass the
// array, which holds rhs. With any other layout it holds lhs.
bool IsRowMajor(const MatmulDims& dims) { return !dims.lhs_transposed && !dims.result_transposed; }

double Mean(int64_t dim, int64_t windows) {
  return static_cast<double>(dim) / static_cast<double>(windows);
}

double StepCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const MatmulCostModel& model = chip.matmul_cost_model;
  const auto tiles = [&](int64_t size) {
    return static_cast<double>(CeilDiv(grid.k_size, chip.mxu_side) * CeilDiv(size, chip.mxu_side));
  };
  const double depth = static_cast<double>(CeilDiv(grid.k_size, chip.mxu_side));
  const double result = Mean(dims.n, grid.n_windows) * Mean(dims.m, grid.m_windows);
  const double mxus = Mean(chip.mxus, chip.tensor_cores_per_device);
  const double array =
      depth * result / (static_cast<double>(chip.mxu_side) * mxus * chip.mxu_rows_per_cycle);
  const double registers = result / static_cast<double>(chip.sublanes * chip.lanes);
  const double partial =
      model.partial_cycles * registers * (1 - 1 / static_cast<double>(grid.k_windows));
  const double loads = IsRowMajor(dims) ? model.stationary_cycles * tiles(grid.n_size) +
                                              model.streamed_cycles * tiles(grid.m_size)
                                        : model.stationary_cycles * tiles(grid.m_size);
  return array + loads + partial + model.step_cycles;
}

// Both cores wait for a window that both of them read.
double FirstCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const bool one_each = dims.batch > 1 || chip.tensor_cores_per_device == 1;
  const auto kib = [&](int64_t size, int64_t bytes, bool on_chip, bool shared_out) {
    const double window = static_cast<double>(grid.k_size * size * bytes);
    const bool both = !on_chip && !shared_out && !one_each;
    return window * static_cast<double>(both ? chip.tensor_cores_per_device : 1) / kKiB;
  };
  const double lhs = kib(grid.m_size, dims.lhs_bytes, dims.lhs_on_chip, !grid.cores_share_n);
  const double rhs = kib(grid.n_size, dims.rhs_bytes, dims.rhs_on_chip, grid.cores_share_n);
  if (IsRowMajor(dims)) return chip.matmul_cost_model.first_cycles * (lhs + rhs);
  return chip.matmul_cost_model.first_hbm_cycles *
         ((dims.lhs_on_chip ? 0 : lhs) + (dims.rhs_on_chip ? 0 : rhs));
}

}  // namespace

double CostModelCycles(const MatmulDims& dims, const MatmulGrid& grid, const Chip& chip) {
  const double last = static_cast<double>(grid.n_size * grid.m_size * dims.result_bytes) / kKiB;
  return static_cast<double>(grid.steps()) * StepCycles(dims, grid, chip) +
         FirstCycles(dims, grid, chip) + chip.matmul_cost_model.last_cycles * last;
}

}  // namespace tilewise
