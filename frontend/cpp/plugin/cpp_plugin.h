// What the program and its plug-in for C++ sources have in common.

#pragma once

#include "frontend/load.h"

namespace tilewise {

inline constexpr char kCppPluginFile[] = "libtilewise_cpp.so";
inline constexpr char kCppPluginReadName[] = "tilewise_cpp_read";

// ReadCpp, whose result goes to `workload`.
using CppPluginRead = void(const InputFile& file, const LoadOptions& options,
                           absl::StatusOr<Workload>& workload);

}  // namespace tilewise
