// The attributes of windows: strides, low, high, lhs_dilation, rhs_dilation (or
// dilation), a list of one number per dim each; padding "SAME" or "VALID".

#pragma once

#include <vector>

#include "frontend/program/op_table.h"

namespace tilewise::program {

// A window of `sizes` over dims of sizes `spatial`. Fails on what is no window.
std::vector<WindowDim> WindowDimsOf(OpCall& call, const std::vector<int64_t>& sizes,
                                    const std::vector<int64_t>& spatial);

}  // namespace tilewise::program
