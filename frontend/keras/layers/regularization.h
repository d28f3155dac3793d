// Dropout, for the layers that have one inside.

#pragma once

#include <cstdint>
#include <vector>

#include "frontend/keras/layer_context.h"

namespace tilewise {

// In training: x scaled by 1/(1-rate) where a random number is at least
// `rate`, zero elsewhere; elements that differ only in `shared` dims share
// their number. Else x.
OpId Drop(LayerContext& ctx, OpId x, double rate, const std::vector<int64_t>& shared);

}  // namespace tilewise
