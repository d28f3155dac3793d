// Reads C++ sources that use LibTorch, XlaBuilder and PjRt, or TensorFlow's C++ interface.

#pragma once

#include "frontend/cpp/model/program_writer.h"
#include "frontend/load.h"

namespace tilewise {

// Fills SourceFacts from Clang's tree of the main file, with the names that the same functions have
// in Python ("torch.nn.Conv2d", "tensorflow.tile"), so that a rule is written once; "xla.Dot" and
// the like have no Python name. Headers that are missing are recovered from, and one note says so.
// `program`, where there is one, gets what the source does. Errors: those of ParseTranslationUnit.
absl::StatusOr<Workload> ReadCpp(const std::string& path, const std::string& text,
                                 const LoadOptions& options,
                                 cpp::TranslatedProgram* program = nullptr);

}  // namespace tilewise
