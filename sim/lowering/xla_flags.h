// Flags of XLA that change what a step costs.

#pragma once

#include <string_view>

#include "sim/lowering/lower.h"

namespace tilewise {

// "--xla_tpu_decompose_all_gather_einsum=true ...", separated by spaces, as in
// LIBTPU_INIT_ARGS. Flags that nothing here depends on are passed over.
void ReadXlaFlags(std::string_view flags, LowerOptions& options);

}  // namespace tilewise
