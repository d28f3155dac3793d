// The last of several patterns that match decides, so they are asked from the
// end.

#include "lint/ignore_file.h"

#include <ranges>

#include "lint/glob.h"

namespace tilewise {
namespace {

std::string_view WithoutTrailingSpace(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ')) {
    const std::string_view before = line.substr(0, line.size() - 1);
    const size_t letters = before.find_last_not_of('\\');
    const size_t backslashes =
        before.size() - (letters == std::string_view::npos ? 0 : letters + 1);
    if (backslashes % 2 == 1) break;
    line = before;
  }
  return line;
}

}  // namespace

std::vector<IgnorePattern> ParseIgnoreFile(std::string_view text) {
  std::vector<IgnorePattern> patterns;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (const auto split : std::views::split(text, '\n')) {
    std::string_view line = WithoutTrailingSpace(std::string_view(split.begin(), split.end()));
    if (line.empty() || line.starts_with('#')) continue;
    IgnorePattern pattern;
    if (line.starts_with('!')) {
      pattern.negated = true;
      line.remove_prefix(1);
    }
    if (line.ends_with('/')) {
      pattern.only_folders = true;
      line.remove_suffix(1);
    }
    pattern.anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    if (line.empty()) continue;
    pattern.glob = line;
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

bool MatchesIgnorePattern(const IgnorePattern& pattern, std::string_view path, bool is_folder) {
  if (pattern.only_folders && !is_folder) return false;
  if (pattern.anchored) return MatchesGitGlob(pattern.glob, path);
  const size_t slash = path.rfind('/');
  return MatchesGitGlob(pattern.glob,
                        slash == std::string_view::npos ? path : path.substr(slash + 1));
}

void IgnoreStack::Push(std::string folder, std::string_view text) {
  levels_.push_back({.folder = std::move(folder), .patterns = ParseIgnoreFile(text)});
}

bool IgnoreStack::Ignores(std::string_view path, bool is_folder) const {
  for (const Level& level : std::views::reverse(levels_)) {
    std::string_view inside = path;
    if (!level.folder.empty()) inside.remove_prefix(level.folder.size() + 1);
    for (const IgnorePattern& pattern : std::views::reverse(level.patterns)) {
      if (MatchesIgnorePattern(pattern, inside, is_folder)) {
        return !pattern.negated;
      }
    }
  }
  return false;
}

}  // namespace tilewise
