// Every comparison is brought to one that holds below 0.

#include "library/trip_count.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace tilewise {

std::optional<double> IterationsWhile(Comparison comparison, double distance, double step) {
  if (comparison == Comparison::kEq) return std::nullopt;
  if (comparison == Comparison::kGt || comparison == Comparison::kGe) {
    distance = -distance;
    step = -step;
  }
  const bool equal_runs = comparison == Comparison::kLe || comparison == Comparison::kGe;
  if (comparison == Comparison::kNe) {
    if (step == 0) return std::nullopt;
    distance = step > 0 ? distance : -distance;
    step = std::abs(step);
  }
  if (equal_runs ? distance > 0 : distance >= 0) return 0;
  if (!(step > 0)) return std::nullopt;
  return equal_runs ? std::floor(-distance / step) + 1 : std::ceil(-distance / step);
}

EnclosingLoop LoopWithin(const EnclosingLoop& outer, int32_t id, int64_t trips) {
  const std::optional<int64_t> all = CheckedMul(outer.trip_count, trips);
  return {id, std::min(all.value_or(kMaxElements), kMaxElements)};
}

}  // namespace tilewise
