// What the program and its plug-in for C++ sources have in common.

#pragma once

#include "frontend/cpp/model/program_writer.h"
#include "frontend/load.h"

namespace tilewise {

inline constexpr char kCppPluginFile[] = "libtilewise_cpp.so";
inline constexpr char kCppPluginReadName[] = "tilewise_cpp_read";

// What Clang's syntax tree gives: facts for the rules, and what the source does.
struct CppReading {
  Workload workload;
  cpp::TranslatedProgram program;
};

// ReadCpp, whose result goes to `reading`. The plug-in calls nothing of the program.
using CppPluginRead = void(const std::string& path, const std::string& text,
                           const LoadOptions& options, absl::StatusOr<CppReading>& reading);

}  // namespace tilewise
