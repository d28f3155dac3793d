// Vector work of reductions.

#include "sim/lowering/kernels/reduce.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace tilewise {
namespace {

bool IsReduced(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// Registers left when everything but the last sublanes and lanes is combined.
double RegistersLeft(const Shape& shape, const Layout& layout, const std::vector<int64_t>& reduced,
                     const Chip& chip) {
  double left = 1;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (IsReduced(reduced, dim)) continue;
    int64_t count = shape.size(dim);
    if (dim == layout.minor_to_major[0]) count = CeilDiv(count, chip.lanes);
    if (layout.minor_to_major.size() > 1 && dim == layout.minor_to_major[1]) {
      count = CeilDiv(count, chip.sublanes);
    }
    left *= static_cast<double>(count);
  }
  return left;
}

}  // namespace

VectorWork ReduceWork(const Shape& operand, const Layout& layout,
                      const std::vector<int64_t>& reduced, const Chip& chip) {
  VectorWork work;
  if (operand.rank() == 0) return work;
  work.alu = VectorRegisters(operand, layout, chip);
  const double left = RegistersLeft(operand, layout, reduced, chip);
  const bool sublanes =
      layout.minor_to_major.size() > 1 && IsReduced(reduced, layout.minor_to_major[1]);
  if (sublanes) {
    const double steps = std::log2(static_cast<double>(chip.sublanes));
    work.alu += 2 * steps * left;  // rotate and combine
  }
  if (IsReduced(reduced, layout.minor_to_major[0])) {
    const double steps = std::log2(static_cast<double>(chip.lanes));
    work.alu += steps * left;
    work.cross_lane += steps * left;
  }
  return work;
}

}  // namespace tilewise
