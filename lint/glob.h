// Globs of the configuration and of ignore files.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tilewise {

// Whether `file` (absolute or relative to the working directory) is one that
// the globs mean. A glob without "/" is compared with the names of the file and
// of the folders between it and `base`; one that starts with "/" with its
// absolute path, others with its path below `base`. A glob that means a folder
// means all that is in it, one that ends with "/" means folders only.
bool MatchesPath(const std::vector<std::string>& globs, const std::string& base,
                 std::string_view file);

// Errors: a glob longer than any path, which means nothing: to compare it costs
// more than it tells.
absl::Status CheckGlob(std::string_view glob);

// A glob of a configuration in `base`, made absolute when it has a "/" in it: a
// "/" at its start is that folder, as in .gitignore. Empty stays empty.
std::string GlobBelow(const std::string& base, const std::string& glob);

// The same as a person wrote it, from `base` on.
std::string ShownGlob(const std::string& glob, const std::string& base);

// Whether `name` is what the glob means: `*` any letters but "/", `**` any
// letters, `?` one letter, `[ab]`, `[!ab]`, `{a,b}`.
bool MatchesGlob(std::string_view glob, std::string_view name);

// Whether the glob means the node `name` ("encoder/dense/kernel") or a scope
// that it is in.
bool MatchesNode(std::string_view glob, std::string_view name);

// Matches as .gitignore does: `*` and `?` stand for anything but "/", `**` between slashes for any
// folders, [a-z], [!a-z] and [[:alpha:]] for one character, a backslash for the next character. An
// unclosed bracket matches nothing, as in git.
bool MatchesGitGlob(std::string_view glob, std::string_view path);

}  // namespace tilewise
