// Residual networks with norm and activation before each convolution.

#pragma once

#include <array>

#include "zoo/net.h"

namespace tilewise {

// Of the spec of zoo:resnet with variant=pre_norm; `blocks` of each stage.
absl::StatusOr<Graph> BuildPreNorm(const ZooSpec& spec, const std::array<int64_t, 4>& blocks,
                                   bool bottleneck);

}  // namespace tilewise
