// Plain reading of files; #include lines are found without preprocessing.

#include "tests/project/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilewise {
namespace {

namespace fs = std::filesystem;

const fs::path& Root() {
  static const fs::path root(TILEWISE_SOURCE_DIR);
  return root;
}

std::string Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

std::vector<std::string> ProjectFiles(const std::string& folder,
                                      const std::vector<std::string>& suffixes) {
  std::vector<std::string> files;
  const fs::path top = Root() / folder;
  if (!fs::exists(top)) return files;
  for (auto it = fs::recursive_directory_iterator(top); it != fs::recursive_directory_iterator();
       ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name == "build" || name == ".git")) {
      it.disable_recursion_pending();
      continue;
    }
    const std::string path = fs::relative(it->path(), Root()).string();
    const bool wanted = std::any_of(suffixes.begin(), suffixes.end(),
                                    [&](const std::string& s) { return path.ends_with(s); });
    if (wanted && it->is_regular_file()) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string ReadProjectFile(const std::string& path) {
  std::ifstream file(Root() / path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Include> IncludesOf(const std::string& path) {
  std::vector<Include> includes;
  std::istringstream text(ReadProjectFile(path));
  constexpr std::string_view kStart = "#include ";
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with(kStart)) continue;
    const bool quoted = line[kStart.size()] == '"';
    const size_t begin = kStart.size() + 1;
    const size_t end = line.find(quoted ? '"' : '>', begin);
    if (end == std::string::npos) continue;
    includes.push_back({line.substr(begin, end - begin), quoted});
  }
  return includes;
}

std::vector<std::string> TableCells(std::string_view line) {
  std::vector<std::string> cells;
  if (!line.starts_with("|")) return cells;
  line.remove_prefix(1);
  for (size_t end; (end = line.find('|')) != std::string_view::npos; line.remove_prefix(end + 1)) {
    cells.push_back(Trim(line.substr(0, end)));
  }
  return cells;
}

}  // namespace tilewise
