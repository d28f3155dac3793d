// Folders of XLA's dumps: XLA_FLAGS=--xla_dump_to=DIR.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// A folder with at least one module in it.
bool LooksLikeXlaDump(const InputFile& file);

// The largest module is the step: what a compiler for TPUs made of it, where
// that is there (its layouts tell), else the module before optimisation. The
// others are counted, and how often each function was compiled for other
// shapes. Errors: no module, more than 100,000 files, and those of the module's
// reader.
absl::StatusOr<Workload> ReadXlaDump(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
