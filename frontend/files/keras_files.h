// Keras models in files of their own: model.save('model.keras'), a zip archive of
// Keras 3, and model.save('model.h5').

#pragma once

#include "frontend/load.h"

namespace tilewise {

// A zip archive that starts with config.json or metadata.json.
bool LooksLikeKerasZip(const InputFile& file);

// Members other than config.json and metadata.json are never inflated. Errors:
// damaged archive, no config.json, more than 64 MiB of it.
absl::StatusOr<Workload> ReadKerasZip(const InputFile& file, const LoadOptions& options);

// Takes any HDF5 file: what is in it only reading tells.
bool LooksLikeKerasH5(const InputFile& file);

// The model is in attributes of the root group; weights are never looked at.
// Errors: those of the format, with the byte; a file of weights alone.
absl::StatusOr<Workload> ReadKerasH5(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
