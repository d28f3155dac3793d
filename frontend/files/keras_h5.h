// Keras models in HDF5 files: model.save('model.h5').

#pragma once

#include "frontend/load.h"

namespace tilewise {

// Any HDF5 file: what is in it only reading tells.
bool LooksLikeKerasH5(const InputFile& file);

// The model is in attributes of the root group; weights are never looked at.
// Errors: those of the format, with the byte; a file of weights alone.
absl::StatusOr<Workload> ReadKerasH5(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
