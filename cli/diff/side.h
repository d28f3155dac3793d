// One of the two things that `diff` compares, from its files.

#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/options/model_options.h"
#include "report/difference.h"

namespace tilewise {

struct SideInput {
  std::string name;                // "train.py at main"
  std::vector<std::string> files;  // of one program
  std::string root;                // that paths are shown without; empty: as they are
};

// `options`: of both sides, but for their files. Errors: those of the readers; a
// program whose model cannot be simulated and that has no findings either.
absl::StatusOr<DiffSide> ReadSide(const SideInput& input, const ModelOptions& options);

}  // namespace tilewise
