// Which files are C++ by their name.

#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tilewise {

inline bool IsCppPath(std::string_view path) {
  constexpr std::array<std::string_view, 7> kSuffixes = {".cc", ".cpp", ".cxx", ".c++",
                                                         ".h",  ".hpp", ".hh"};
  return std::any_of(kSuffixes.begin(), kSuffixes.end(),
                     [&](std::string_view suffix) { return path.ends_with(suffix); });
}

}  // namespace tilewise
