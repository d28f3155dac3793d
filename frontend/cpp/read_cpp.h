// Reads C++ sources that use LibTorch, XlaBuilder and PjRt, or TensorFlow's C++ interface.

#pragma once

#include <string>
#include <vector>

#include "frontend/cpp/model/program_writer.h"
#include "frontend/load.h"

namespace clang {
class ASTContext;
}

namespace tilewise {
namespace cpp {

// What the main file of a tree says, whoever parsed it: ReadCpp, or clang-tidy. `absent_headers`,
// as they are included, tell of libraries that are not installed.
SourceFacts FactsOfTree(clang::ASTContext& context, const std::string& path,
                        const std::vector<std::string>& absent_headers);

}  // namespace cpp

// Fills SourceFacts from Clang's tree of the main file, with the names that the same functions have
// in Python ("torch.nn.Conv2d", "tensorflow.tile"), so that a rule is written once; "xla.Dot" and
// the like have no Python name. Headers that are missing are recovered from, and one note says so.
// `program`, where there is one, gets what the source does. Errors: those of ParseTranslationUnit.
absl::StatusOr<Workload> ReadCpp(const std::string& path, const std::string& text,
                                 const LoadOptions& options,
                                 cpp::TranslatedProgram* program = nullptr);

}  // namespace tilewise
