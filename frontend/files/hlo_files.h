// XLA modules in all three forms as input formats.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// Of a file with several modules the largest is read, with a note. Errors:
// those of the form, with the place in it.
absl::StatusOr<Workload> ReadHloText(const InputFile& file, const LoadOptions& options);
absl::StatusOr<Workload> ReadHloProto(const InputFile& file, const LoadOptions& options);
absl::StatusOr<Workload> ReadHloTextproto(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
