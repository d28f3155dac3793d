// The project's own files, for tests of its promises.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewise {

// Paths relative to the project with one of the suffixes, below `folder` (""
// for everything); build folders left out, sorted.
std::vector<std::string> ProjectFiles(const std::string& folder,
                                      const std::vector<std::string>& suffixes);
// Empty when there is no such file.
std::string ReadProjectFile(const std::string& path);

struct Include {
  std::string name;  // between the quotes or angle brackets
  bool quoted = false;
};
std::vector<Include> IncludesOf(const std::string& path);

// The cells of a Markdown table row "| a | b |", trimmed; empty otherwise.
std::vector<std::string> TableCells(std::string_view line);

}  // namespace tilewise
