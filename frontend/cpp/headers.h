// What the headers of a source tell: which libraries it uses, and which files its reading depends
// on.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <clang/Basic/SourceManager.h>

#include "frontend/cpp/translation_unit.h"

namespace tilewise::cpp {

// False: the text names nothing of LibTorch, XLA or TensorFlow, and is not worth Clang's time.
bool MayUseLibraries(std::string_view text);

// The same of headers that lie where a project usually has them.
bool HeadersMayUseLibraries(const std::string& path, std::string_view text);

// Returns the headers, as the source includes them, that are missing or that stand-ins replace.
std::vector<std::string> AbsentHeaders(const TranslationUnit& unit);

// "torch", "xla", "tensorflow", those that the source uses.
std::vector<std::string> LibrariesOf(const clang::SourceManager& sources,
                                     const std::vector<std::string>& absent_headers);

// Files that a run which keeps findings looks at again, sorted: the compilation database, headers
// of the project, those of libraries that the project includes itself, and the folders where those
// that are missing may come to be.
std::vector<std::string> ConsultedFiles(const TranslationUnit& unit);

}  // namespace tilewise::cpp
