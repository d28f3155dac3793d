// The patterns of .gitignore files, with git's meaning (gitignore(5)).

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewise {

// One line: "!/build/**/*.py".
struct IgnorePattern {
  std::string glob;           // without the marks around it
  bool negated = false;       // "!": taken back
  bool only_folders = false;  // "/" at the end
  bool anchored = false;      // "/" elsewhere: from the file's folder on
};

// Lines that are empty or comments are none; "\#" and "\!" are letters, and
// spaces at the end count only after a backslash.
std::vector<IgnorePattern> ParseIgnoreFile(std::string_view text);

// Whether `path` (relative to the folder of the patterns, "/" between parts) is
// what the pattern names. The folders above it are to be asked before: git does
// not look into a folder that is ignored.
bool MatchesIgnorePattern(const IgnorePattern& pattern, std::string_view path, bool is_folder);

// The .gitignore files from a root down to a folder, outermost first.
class IgnoreStack {
 public:
  struct Level {
    std::string folder;  // relative to the root; empty: the root
    std::vector<IgnorePattern> patterns;
  };
  // Enters `folder` (relative to the root) with the text of its file.
  void Push(std::string folder, std::string_view text);
  void Pop() { levels_.pop_back(); }

  // The last pattern that matches decides; the innermost file's come last.
  bool Ignores(std::string_view path, bool is_folder) const;

 private:
  std::vector<Level> levels_;
};

}  // namespace tilewise
