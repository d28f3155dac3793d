// The per-op table in short: layers that are alike share a line.

#pragma once

#include <vector>

#include "report/report.h"

namespace tilewise {

// Rows of layers that differ in a number of their path only ("layer3/up"), of
// the same kind and bound and, within 2 %, of the same time become one row of
// their sums, "layer*/up (x126)", without a place. Longest first.
std::vector<OpRow> JoinEqualLayers(const std::vector<OpRow>& rows);

}  // namespace tilewise
