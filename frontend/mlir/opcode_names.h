// Names of StableHLO operations as instructions of XLA.

#pragma once

#include <string_view>

#include "frontend/hlo/module.h"

namespace tilewise::mlir {

// "round_nearest_even" -> kRoundNearestEven; kUnknown if XLA has none.
hlo::Opcode OpcodeOf(std::string_view name);

}  // namespace tilewise::mlir
