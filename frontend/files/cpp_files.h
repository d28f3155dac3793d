// C++ sources. Clang reads them, in a plug-in that is loaded with the first of them, so that other
// runs do not wait for LLVM.

#pragma once

#include "frontend/cpp/plugin/cpp_plugin.h"
#include "frontend/load.h"

namespace tilewise {

// C++ has no mark of its own in the text: the suffix decides.
bool LooksLikeCpp(const InputFile& file);

// Whether this build reads any.
bool ReadsCpp();

// The plug-in's file; empty: there is none beside the program, or the build has none.
std::string CppPluginPath();

// Errors: a build without the reader, a plug-in that cannot be loaded; those of ReadCpp.
absl::StatusOr<Workload> ReadCppFile(const InputFile& file, const LoadOptions& options);

// Puts the lines that edits of a C++ file change into the style of its .clang-format, if it has
// one.
void FormatCppEdits(const std::string& path, const std::string& text, std::vector<TextEdit>& edits);

// What the source of a plug-in's reading builds, with the facts of its text.
absl::StatusOr<Workload> RunTranslated(const std::string& path, CppReading reading,
                                       const LoadOptions& options);

}  // namespace tilewise
