// XLA modules in all three forms as input formats.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// These read the largest module of a file with several, with a note. Errors:
// those of the form, with the location in it.
absl::StatusOr<Workload> ReadHloText(const InputFile& file, const LoadOptions& options);
absl::StatusOr<Workload> ReadHloProto(const InputFile& file, const LoadOptions& options);
absl::StatusOr<Workload> ReadHloTextproto(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
