// The program without its process: arguments in, exit code out.

#pragma once

namespace tilewise {

inline constexpr int kExitClean = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitFailure = 2;

int Run(int argc, const char* const* argv);

}  // namespace tilewise
