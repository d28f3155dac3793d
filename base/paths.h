// Paths as the file system has them. None of these throws: a working directory
// that is gone or an empty path leaves a path as it is written.

#pragma once

#include <filesystem>
#include <string>

namespace tilewise {

// Returns the path from the root on, without "." and "..".
std::filesystem::path AbsolutePath(const std::filesystem::path& path);

// The same with symbolic links followed, as far as the path is there.
std::filesystem::path RealPath(const std::filesystem::path& path);

// Whether `path` is `folder` or lies in it, links followed.
bool LiesIn(const std::filesystem::path& folder, const std::filesystem::path& path);

}  // namespace tilewise
