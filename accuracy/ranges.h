// How far measured figures lie from simulated ones, by the kind of work and the
// chip: what a report says next to a figure of a program that nobody measured.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/validate.h"
#include "base/error_range.h"

namespace tilewise {

// The range of the device time of a step that spends most on `part` (LongestPart)
// of that chip; it is that of all chips where too few were measured on it, and of
// all work where too few of that kind were. None without figures.
std::optional<ErrorRange> TimeRange(std::string_view part, std::string_view chip);
// The same of the HBM peak of a training step.
std::optional<ErrorRange> MemoryRange(bool loops_over_layers, std::string_view chip);

// validation/ranges.csv from a comparison of all tables. `held`: the share of
// figures that lie in the range which figures of other sources alone give;
// `count_as`: how many sources of one figure tell as much. A chip or a kind has a
// range of its own where its figures count as nineteen and its range holds for
// most of each other's. The last line is of steps that are made
// to fit: how sure one is.
std::string RangesTable(std::span<const SetAccuracy> sets);

// How many figures of a kind of row of a set ("recipes: moe"), or of all sets ("all: moe"), lie in
// the range that a report would give if no figure of their source were known.
struct HeldFigures {
  std::string name;
  size_t figures = 0, held = 0;
  double width_log = 0;       // the sum of the logarithms of high over low
  double mean_width() const;  // the geometric mean of high over low
};
// Sets in their order with their kinds as they come, then kinds of all sets.
std::vector<HeldFigures> FiguresHeld(std::span<const SetAccuracy> sets);

}  // namespace tilewise
