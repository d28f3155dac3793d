// Logs of training programs: what XLA and JAX write about memory that ran out
// and about compilations.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// A text, no script or notebook, with a report that memory ran out or with
// JAX's lines about compilations (jax_log_compiles).
bool LooksLikeCompileLog(const InputFile& file);

// Fills memory_reports and recompiled; there is no model in a log. Errors: a
// text with neither.
absl::StatusOr<Workload> ReadCompileLog(const InputFile& file,
                                        const LoadOptions& options);

}  // namespace tilewise
