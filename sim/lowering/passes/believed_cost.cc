// Per step, averages of full and cut windows; a register is 8 x 128 elements.

#include "sim/lowering/passes/believed_cost.h"

#include <algorithm>

#include "base/math.h"

namespace tilewise {
namespace {

// Of a code generator. Fitted, and not identified one by one: several sets of
// values choose the same grids.
struct Costs {
  double array;       // cycles per cycle of the array's peak
  double stationary;  // cycles per register of the stationary operand
  double result;      // cycles per register of the result
  double hbm;         // times the nameplate time of what HBM moves
  double on_chip;     // cycles per register of the prefetched operand
};
// Both lhs and result with their rows in the sublanes; rhs is stationary.
constexpr Costs kRowMajor = {0.34, 3.296, 14.26, 0.7146, 5.832};
// Any other; lhs is stationary.
constexpr Costs kTransposed = {1.144, 0.795, 0, 1.743, 2.387};

constexpr double kPartial = 0.02;     // cycles per register of a sum to go on
constexpr double kStep = 230;         // cycles
constexpr double kFirstLoad = 1.908;  // times the nameplate time of HBM
constexpr double kLastStore = 2.738;  // times the nameplate time of HBM

struct StepWork {
  double array = 0;                     // cycles at peak
  double lhs = 0, rhs = 0, result = 0;  // elements
};

StepWork WorkOf(const ProductDims& dims, const ProductGrid& grid,
                const Chip& chip) {
  const auto mean = [](int64_t dim, int64_t windows) {
    return static_cast<double>(dim) / static_cast<double>(windows);
  };
  const double n = mean(dims.n, grid.n_windows);
  const double m = mean(dims.m, grid.m_windows);
  const double k = mean(dims.k, grid.k_windows);
  const double mxus = mean(chip.mxus, chip.tensor_cores_per_device);
  StepWork work;
  work.array =
      static_cast<double>(CeilDiv(grid.k_size, chip.mxu_side)) * n * m /
      (static_cast<double>(chip.mxu_side) * mxus * chip.mxu_rows_per_cycle);
  work.lhs = k * m;
  work.rhs = k * n;
  work.result = n * m;
  return work;
}

// Bytes that a step of one core takes from and brings to HBM. Both cores wait
// for a window that both of them read.
double HbmBytes(const ProductDims& dims, const ProductGrid& grid,
                const StepWork& work, const Chip& chip) {
  const auto cores = static_cast<double>(chip.tensor_cores_per_device);
  const bool one_each = dims.batch > 1;
  double bytes = work.result * static_cast<double>(dims.result_bytes) /
                 static_cast<double>(grid.k_windows);
  if (!dims.rhs_on_chip) {
    const bool stays = grid.k_windows == 1;  // while m goes round
    bytes += work.rhs * static_cast<double>(dims.rhs_bytes) *
             (grid.cores_share_n || one_each ? 1 : cores) /
             (stays ? static_cast<double>(grid.m_per_core) : 1);
  }
  if (!dims.lhs_on_chip) {
    bytes += work.lhs * static_cast<double>(dims.lhs_bytes) *
             (grid.cores_share_n && !one_each ? cores : 1);
  }
  return bytes;
}

double FirstBytes(const ProductDims& dims, const ProductGrid& grid) {
  int64_t bytes = 0;
  if (!dims.lhs_on_chip) bytes += grid.k_size * grid.m_size * dims.lhs_bytes;
  if (!dims.rhs_on_chip) bytes += grid.k_size * grid.n_size * dims.rhs_bytes;
  return static_cast<double>(bytes);
}

}  // namespace

double BelievedCycles(const ProductDims& dims, const ProductGrid& grid,
                      const Chip& chip) {
  const bool row_major = !dims.lhs_transposed && !dims.result_transposed;
  const Costs& costs = row_major ? kRowMajor : kTransposed;
  const StepWork work = WorkOf(dims, grid, chip);
  const double elements = static_cast<double>(chip.sublanes * chip.lanes);
  const double core_bytes_per_cycle =
      chip.hbm_bandwidth.value / chip.clock_hz /
      static_cast<double>(chip.tensor_cores_per_device);
  const double last_sums = 1 / static_cast<double>(grid.k_windows);
  const double compute = costs.array * work.array +
                         (costs.stationary * (row_major ? work.rhs : work.lhs) +
                          costs.result * work.result * last_sums +
                          kPartial * work.result * (1 - last_sums)) /
                             elements;
  const double hbm =
      costs.hbm * HbmBytes(dims, grid, work, chip) / core_bytes_per_cycle;
  const double on_chip =
      costs.on_chip / elements *
      ((dims.lhs_on_chip ? work.lhs : 0) + (dims.rhs_on_chip ? work.rhs : 0));
  const auto last =
      static_cast<double>(grid.n_size * grid.m_size * dims.result_bytes);
  const double ends =
      (kFirstLoad * FirstBytes(dims, grid) + kLastStore * last) /
      core_bytes_per_cycle;
  return static_cast<double>(grid.steps()) *
             (std::max({compute, hbm, on_chip}) + kStep) +
         ends;
}

}  // namespace tilewise
