// What the program and its plug-in for C++ sources have in common.

#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "frontend/cpp/model/program_writer.h"
#include "frontend/load.h"

namespace tilewise {

inline constexpr char kCppPluginFile[] = "libtilewise_cpp.so";
inline constexpr char kCppPluginReadName[] = "tilewise_cpp_read";
inline constexpr char kCppPluginFormatName[] = "tilewise_cpp_format";

// What Clang's syntax tree gives: facts for the rules, and what the source does.
struct CppReading {
  Workload workload;
  cpp::TranslatedProgram program;
};

// ReadCpp, whose result goes to `reading`. The plug-in calls nothing of the program.
using CppPluginRead = void(const std::string& path, const std::string& text,
                           const LoadOptions& options, absl::StatusOr<CppReading>& reading);
// FormatEdits, in place.
using CppPluginFormat = void(const std::string& path, const std::string& text,
                             std::vector<TextEdit>& edits);

}  // namespace tilewise
