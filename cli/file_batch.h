// The batch of a model whose file fixed all its sizes: found, shown, and made
// free for other sizes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/options/model_options.h"
#include "workload/workload.h"

namespace tilewise {

// The name of the note that the batch cannot be told apart from other sizes.
inline constexpr std::string_view kBatchNotFound = "batch-not-found";

struct FileBatch {
  // This is the batch per core, as the file has it; unset: symbolic, no model,
  // or not found.
  std::optional<int64_t> size;
  // One line for each dim that holds it; only with --explain-batch.
  std::vector<std::string> explanation;
};

// What the command does with the batch.
struct BatchUse {
  bool tries_batches = false;  // other sizes are simulated, too
  bool explains = false;
};

// Where the options name a batch, or the command tries others, the graph of
// `workload` gets per-batch dims in the place of its fixed ones; --batch-dim
// says where the batch comes in. Errors, which name the op that stops it: a
// batch was asked for and cannot be separated, --batch-dim names no input. With
// nothing asked for a note says the same.
absl::StatusOr<FileBatch> FreeBatch(const TrainingOptions& options, const BatchUse& use,
                                    Workload& workload);

}  // namespace tilewise
