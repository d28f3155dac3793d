// Logs of training programs: what XLA and JAX write about memory that ran out
// and about compilations, and Keras about slow hooks on batches.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// A text, no script or notebook, with a report that memory ran out, with JAX's
// lines about compilations (jax_log_compiles) or with Keras' warning that a
// hook is slow compared to the batch.
bool LooksLikeCompileLog(const InputFile& file);

// Fills memory_reports, recompiled and slow_batch_hooks; there is no model in a
// log. Errors: a text with none of them.
absl::StatusOr<Workload> ReadCompileLog(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
