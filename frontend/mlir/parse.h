// MLIR text -> File. The generic form of every operation is read, and the
// pretty forms of StableHLO, MHLO, CHLO, Shardy, func, cf and arith by one
// grammar that they share: operands, words, name = value, attributes, types,
// regions. Operations of other dialects are read as far as that grammar goes
// and end where the next one begins; their regions are skipped.

#pragma once

#include <string_view>

#include "base/status.h"
#include "frontend/mlir/operation.h"

namespace tilewise::mlir {

// Errors: "line 12: found 'x', expected y".
absl::StatusOr<File> ParseFile(std::string_view text);

}  // namespace tilewise::mlir
