// The regular convolution that takes the place of a depthwise one and of the
// 1x1 convolution beside it.

#pragma once

#include "rules/rule.h"

namespace tilewise {

// In the place of the 1x1 expansion before the depthwise convolution
// `depthwise` and of that one, or else of that one and of the 1x1 projection
// behind it: a convolution of the same window on all input features. Only
// elementwise ops and normalisations may stand between the two; those between
// them go too. Empty when there is no such pair.
Change FusedBlock(const Graph& graph, const Op& depthwise);

}  // namespace tilewise
