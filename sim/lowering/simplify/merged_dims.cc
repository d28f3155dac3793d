// Dims are compared in order; what counts the batch is split off whole.

#include "sim/lowering/simplify/merged_dims.h"

#include "base/math.h"

namespace tilewise {

std::vector<int64_t> EndsOfParts(const std::vector<Dim>& merged, const std::vector<Dim>& split) {
  std::vector<int64_t> ends;
  size_t next = 0;
  for (const Dim& dim : merged) {
    if (next < split.size() && split[next] == dim) {
      ends.push_back(static_cast<int64_t>(++next));
      continue;
    }
    Dim product;
    while (next < split.size() && product.factor < dim.factor) {
      const auto factor = CheckedMul(product.factor, split[next].factor);
      if (!factor || (product.per_batch && split[next].per_batch)) return {};
      product.factor = *factor;
      product.per_batch = product.per_batch || split[next].per_batch;
      ++next;
    }
    if (product != dim) return {};
    ends.push_back(static_cast<int64_t>(next));
  }
  return next == split.size() ? ends : std::vector<int64_t>();
}

}  // namespace tilewise
