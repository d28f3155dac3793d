// An ErrorRange says where measured figures lie around a simulated one.

#pragma once

#include <cstdint>
#include <optional>

namespace tilewise {

// Quantiles of measured over simulated figures: nine of ten lie between `low`
// and `high`, a third below `lower_third`, a third above `upper_third`.
struct ErrorRange {
  static constexpr double kOutside = 0.05;  // on each side
  static constexpr double kThird = 1.0 / 3;

  double low = 1, high = 1;
  double lower_third = 1, upper_third = 1;
  int64_t rows = 0;  // measured figures that it is from
  // The share that ran of the programs that fit only because something ends early or runs again.
  std::optional<double> made_to_fit;
  bool of_this_machine = false;  // from a profile of the user's; else from published figures

  // The share of figures that are at most `ratio` of the simulated one, linear
  // between the quantiles. Beyond the outer ones nothing is known: at least
  // kOutside and at most 1 - kOutside.
  double ShareBelow(double ratio) const;
};

}  // namespace tilewise
