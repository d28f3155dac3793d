// Tables of measurements as the user names them.

#pragma once

#include <string>

#include "accuracy/predict.h"
#include "base/status.h"

namespace tilewise {

struct TableFile {
  std::string name;    // as the user gave it
  std::string folder;  // where files that its specs name are looked for
  std::string text;
};

// Errors: a file that cannot be read, or of more than 64 MiB.
absl::StatusOr<TableFile> ReadTableFile(const std::string& path);

// Loads specs: zoo models, and files by their path from `folder`.
WorkloadLoader LoaderFrom(const std::string& folder);

}  // namespace tilewise
