// StableHLO and MHLO modules as MLIR text -> Workload.

#pragma once

#include "base/status.h"
#include "frontend/input_file.h"
#include "frontend/load.h"
#include "workload/workload.h"

namespace tilewise {

bool LooksLikeMlir(const InputFile& file);
// The binary form, which is refused with the lines that print it.
bool LooksLikeMlirBytecode(const InputFile& file);

// Reads both forms; errors name the line, what was found and what was expected.
absl::StatusOr<Workload> ReadMlir(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
