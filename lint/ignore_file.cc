// Patterns are compared by walking both texts; a star that could stand for
// several lengths is tried again further on, so the time is bounded by the
// product of both lengths per pair of stars.

#include "lint/ignore_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ranges>

namespace tilewise {
namespace {

using Test = int (*)(int);
struct CharacterClass {
  std::string_view name;
  Test test;
};
constexpr std::array kClasses = {
    CharacterClass{"alpha", std::isalpha}, CharacterClass{"digit", std::isdigit},
    CharacterClass{"alnum", std::isalnum}, CharacterClass{"upper", std::isupper},
    CharacterClass{"lower", std::islower}, CharacterClass{"space", std::isspace},
    CharacterClass{"punct", std::ispunct}, CharacterClass{"xdigit", std::isxdigit},
    CharacterClass{"blank", std::isblank}, CharacterClass{"cntrl", std::iscntrl},
    CharacterClass{"graph", std::isgraph}, CharacterClass{"print", std::isprint},
};

// "[:alpha:]" at `at` of `glob`: whether `c` is one; `at` moves behind it.
bool MatchesClass(std::string_view glob, size_t& at, char c) {
  const size_t end = glob.find(":]", at + 2);
  if (end == std::string_view::npos) return false;
  const std::string_view name = glob.substr(at + 2, end - at - 2);
  at = end + 2;
  const auto found = std::ranges::find(kClasses, name, &CharacterClass::name);
  return found != kClasses.end() && found->test(static_cast<unsigned char>(c)) != 0;
}

// "[a-z]" at `at`, which moves behind it; npos when it is not closed.
bool MatchesBracket(std::string_view glob, size_t& at, char c) {
  size_t i = at + 1;
  const bool negated = i < glob.size() && (glob[i] == '!' || glob[i] == '^');
  if (negated) ++i;
  bool matched = false;
  for (bool first = true;; first = false) {
    if (i >= glob.size()) {
      at = std::string_view::npos;
      return false;
    }
    if (glob[i] == ']' && !first) break;
    if (glob[i] == '[' && i + 1 < glob.size() && glob[i + 1] == ':') {
      const size_t before = i;
      matched = MatchesClass(glob, i, c) || matched;
      if (i != before) continue;
    }
    if (glob[i] == '\\' && i + 1 < glob.size()) ++i;
    const char low = glob[i++];
    char high = low;
    if (i + 1 < glob.size() && glob[i] == '-' && glob[i + 1] != ']') {
      high = glob[i + 1];
      i += 2;
    }
    matched = matched || (low <= c && c <= high);
  }
  at = i + 1;
  return matched != negated && c != '/';
}

// One character of `path` against what stands at `at` of `glob`.
bool MatchesOne(std::string_view glob, size_t& at, char c) {
  if (glob[at] == '[') return MatchesBracket(glob, at, c);
  if (glob[at] == '?') {
    ++at;
    return c != '/';
  }
  if (glob[at] == '\\' && at + 1 < glob.size()) ++at;
  return glob[at++] == c;
}

// One part of a path, without slashes; only the last star is tried again.
bool MatchesPart(std::string_view glob, std::string_view part) {
  size_t g = 0, p = 0;
  size_t star = std::string_view::npos, star_part = 0;
  while (p < part.size()) {
    size_t next = g;
    if (g < glob.size() && glob[g] == '*') {
      star = ++g;
      star_part = p;
      continue;
    }
    if (g < glob.size() && MatchesOne(glob, next, part[p])) {
      g = next;
      ++p;
    } else if (next == std::string_view::npos || star == std::string_view::npos) {
      return false;
    } else {
      g = star;
      p = ++star_part;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

// The parts between slashes; a slash inside of brackets is none.
std::vector<std::string_view> Parts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (const auto part : std::views::split(text, '/')) {
    parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

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

bool MatchesGitGlob(std::string_view glob, std::string_view path) {
  const std::vector<std::string_view> globs = Parts(glob);
  const std::vector<std::string_view> parts = Parts(path);
  // reached[p]: the globs so far can stand for the first p parts.
  std::vector<bool> reached(parts.size() + 1, false);
  reached[0] = true;
  for (size_t g = 0; g < globs.size(); ++g) {
    std::vector<bool> next(parts.size() + 1, false);
    const bool any = globs[g] == "**";
    // At the end it means what is in the folder, not the folder itself.
    const size_t least = any && g + 1 == globs.size() && g > 0 ? 1 : 0;
    for (size_t p = 0; p <= parts.size(); ++p) {
      if (!reached[p]) continue;
      if (any) {
        for (size_t to = p + least; to <= parts.size(); ++to) next[to] = true;
      } else if (p < parts.size() && MatchesPart(globs[g], parts[p])) {
        next[p + 1] = true;
      }
    }
    reached = std::move(next);
  }
  return reached[parts.size()];
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
