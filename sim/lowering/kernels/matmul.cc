// Choice of the stationary operand.

#include "sim/lowering/kernels/matmul.h"

#include <algorithm>

#include "base/math.h"

namespace tilewise {
namespace {

// Real matmuls that make a complex one.
constexpr double kComplexProducts = 4;

}  // namespace

double MatrixCycles(const MatrixWork& work, const Chip& chip) {
  const auto cycles_of_tile = [&](int64_t rows) {
    return std::max(static_cast<double>(rows) / chip.mxu_rows_per_cycle, chip.latch_cycles);
  };
  const int64_t streams = work.weight_tiles * work.passes;
  const double by_tile =
      static_cast<double>(CeilDiv(streams, chip.mxus)) * cycles_of_tile(work.rows_per_tile);
  const int64_t rows_each = RoundUp(CeilDiv(work.rows_per_tile, chip.mxus), chip.sublanes);
  const double by_row = static_cast<double>(streams) * cycles_of_tile(rows_each);
  return std::min(by_tile, by_row) / work.rate;
}

double MatrixRate(DType lhs, DType rhs, const Chip& chip) {
  const auto rate = [&](DType type) {
    const double flops =
        chip.peak_flops(BitWidth(type), !IsFloat(type) && !IsComplex(type)) / chip.peak_flops();
    return IsComplex(type) ? flops / kComplexProducts : flops;
  };
  return std::min(rate(lhs), rate(rhs));
}

MatrixWork ChooseStationary(const std::vector<Stationary>& choices, double useful_flops,
                            int64_t passes, const Chip& chip) {
  MatrixWork best;
  for (const Stationary& choice : choices) {
    MatrixWork work;
    work.weight_tiles = choice.tiles;
    work.rows_per_tile = RoundUp(choice.rows, chip.sublanes);
    work.passes = passes;
    if (best.weight_tiles > 0 && MatrixCycles(work, chip) >= MatrixCycles(best, chip)) {
      continue;
    }
    best = work;
  }
  best.useful_flops = useful_flops;
  best.padded_flops = 2.0 * static_cast<double>(best.weight_tiles) *
                      static_cast<double>(chip.mxu_side * chip.mxu_side) *
                      static_cast<double>(best.rows_per_tile * passes);
  return best;
}

MatrixWork MatrixProduct(int64_t batch, int64_t m, int64_t k, int64_t n, int64_t passes,
                         const Chip& chip) {
  const int64_t side = chip.mxu_side;
  const double flops = 2.0 * static_cast<double>(batch) * static_cast<double>(m) *
                       static_cast<double>(k) * static_cast<double>(n);
  const int64_t depth = batch * CeilDiv(k, side);
  return ChooseStationary({{depth * CeilDiv(n, side), m}, {depth * CeilDiv(m, side), n}}, flops,
                          passes, chip);
}

}  // namespace tilewise
