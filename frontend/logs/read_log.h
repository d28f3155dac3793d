// Logs of training programs: what XLA, its runtimes and the frameworks print of
// memory that ran out, of compilations, of steps and of what the host does.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// A text, no script, notebook or configuration, with a line that a kind of
// log_table.cc reads.
bool LooksLikeLog(const InputFile& file);

// Fills memory_reports, whole_reshards, recompiled, slow_batch_hooks and
// run_log; there is no model in a log. Lines of several hosts may be mixed.
// Errors: a text with none of them.
absl::StatusOr<Workload> ReadLog(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
