// The overloads of std::filesystem that report errors, and what is meant then.

#include "base/paths.h"

#include <system_error>

namespace tilewise {

namespace fs = std::filesystem;

fs::path AbsolutePath(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return (error ? path : absolute).lexically_normal();
}

fs::path RealPath(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = AbsolutePath(path);
  const fs::path real = fs::weakly_canonical(absolute, error);
  return error ? absolute : real;
}

bool LiesIn(const fs::path& folder, const fs::path& path) {
  const fs::path below = RealPath(path).lexically_relative(RealPath(folder));
  return !below.empty() && *below.begin() != "..";
}

}  // namespace tilewise
