// Keras 3 models: model.save('model.keras'), a zip archive.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// A zip archive that starts with config.json or metadata.json.
bool LooksLikeKerasZip(const InputFile& file);

// Members other than config.json and metadata.json are never inflated. Errors:
// damaged archive, no config.json, more than 64 MiB of it.
absl::StatusOr<Workload> ReadKerasZip(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
