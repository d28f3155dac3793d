// Reads C++ sources for the calls that rules know: TensorFlow C++ ops. The
// file is split into tokens by Clang's lexer and not compiled, so headers and
// build flags are not needed; a name counts when it is written out with its
// namespace, or after `using namespace` or a namespace alias of the same file.

#pragma once

#include "frontend/load.h"

namespace tilewise {

// Fills SourceFacts::calls with the names that the same ops have in Python
// ("tensorflow.tile"), so that a rule is written once. Errors: none; a file
// without such calls gives an empty Workload with a note.
absl::StatusOr<Workload> ReadCpp(const InputFile& file, const LoadOptions& options);

}  // namespace tilewise
