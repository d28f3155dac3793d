// Python scripts and Jupyter notebooks -> Workload, without running them.

#pragma once

#include "base/status.h"
#include "frontend/load.h"
#include "workload/workload.h"

namespace tilewise {

// These go by the suffix, or by a line that imports where the suffix is of no
// other language.
bool LooksLikePython(const InputFile& file);
bool LooksLikeNotebook(const InputFile& file);

absl::StatusOr<Workload> ReadPython(const InputFile& file, const LoadOptions& options);
// Code cells in order, lines of magics blanked.
absl::StatusOr<Workload> ReadNotebook(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
