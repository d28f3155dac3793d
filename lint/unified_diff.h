// Two texts as a unified diff, which `patch` and `git apply` take.

#pragma once

#include <string>
#include <string_view>

namespace tilewise {

// "--- a/path", "+++ b/path" and hunks with three lines around each change;
// empty when the texts are equal.
std::string UnifiedDiff(const std::string& path, std::string_view before, std::string_view after);

}  // namespace tilewise
