// Linear between the four quantiles.

#include "base/error_range.h"

#include <array>
#include <utility>

namespace tilewise {

double ErrorRange::ShareBelow(double ratio) const {
  const std::array<std::pair<double, double>, 4> known = {{
      {low, kOutside},
      {lower_third, kThird},
      {upper_third, 1 - kThird},
      {high, 1 - kOutside},
  }};
  if (ratio < low) return kOutside;
  for (size_t i = 1; i < known.size(); ++i) {
    const auto& [from, share] = known[i - 1];
    const auto& [to, next_share] = known[i];
    if (ratio < to) return share + (next_share - share) * (ratio - from) / (to - from);
  }
  return 1 - kOutside;
}

}  // namespace tilewise
