// Finds the files below the folders that the user named.

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tilewise {

struct DiscoverOptions {
  bool respect_ignore_files = true;  // .gitignore, .git/info/exclude, .ignore
  // Says of a file or folder, as the walk names it, whether configuration
  // leaves it out.
  std::function<bool(const std::string& path)> excluded = nullptr;
  // Folders that a framework writes as a whole are not entered: one program.
  std::function<bool(const std::string& folder)> is_program = nullptr;
  // Whether a file is to be linted; the others are passed over silently.
  std::function<bool(const std::string& file)> is_known = nullptr;
};

struct Discovered {
  std::vector<std::string> files;       // and folders that are programs; sorted
  std::vector<std::string> folders;     // that were entered, the root first
  std::vector<std::string> unreadable;  // "src/private: permission denied"
};

// Walks `folder`. Paths begin with it as it was given ("src/train.py"; the
// files of "." without the "./"). Hidden files and folders, environments and
// caches of tools are passed over. Symbolic links are followed; what is reached
// twice is taken once.
Discovered Discover(const std::string& folder, const DiscoverOptions& options);

}  // namespace tilewise
