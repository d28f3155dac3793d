// C++ sources. Clang reads them, in a plug-in that is loaded with the first of them, so that other
// runs do not wait for LLVM.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// C++ has no mark of its own in the text: the suffix decides.
bool LooksLikeCpp(const InputFile& file);

// Errors: a build without the reader, a plug-in that cannot be loaded; those of ReadCpp.
absl::StatusOr<Workload> ReadCppFile(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
