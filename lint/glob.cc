// A pattern is compiled to tokens and compared in
// time proportional to its length times that of the name, whatever it says.

#include "lint/glob.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cctype>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/paths.h"

namespace tilewise {
namespace {

// Alternatives that braces of one pattern may stand for.
constexpr size_t kMostAlternatives = 256;
// A path of a file, and as much again for what stands around it.
constexpr size_t kLongestGlob = 8192;

// This says whose globs they are: of the configuration, or of .gitignore files.
enum class Dialect { kConfig, kGit };

enum class TokenKind { kLetter, kAny, kStar, kFolders, kAll, kClass };
struct Token {
  TokenKind kind = TokenKind::kLetter;
  char letter = 0;
  std::bitset<256> members = {};  // of a class
};

// The position of the brace that ends the group opened at `open`; npos: none.
size_t EndOfGroup(std::string_view glob, size_t open) {
  int depth = 0;
  for (size_t i = open; i < glob.size(); ++i) {
    if (glob[i] == '\\') {
      ++i;
    } else if (glob[i] == '{') {
      ++depth;
    } else if (glob[i] == '}' && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::vector<std::string_view> Members(std::string_view group) {
  std::vector<std::string_view> members;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < group.size(); ++i) {
    if (group[i] == '\\') ++i;
    if (i >= group.size()) break;
    if (group[i] == '{') ++depth;
    if (group[i] == '}') --depth;
    if (group[i] != ',' || depth != 0) continue;
    members.push_back(group.substr(begin, i - begin));
    begin = i + 1;
  }
  members.push_back(group.substr(begin));
  return members;
}

// The pattern without braces: one for each alternative, the first ones.
std::vector<std::string> Expand(std::string_view glob) {
  std::vector<std::string> out;
  std::vector<std::string> open_ones = {std::string(glob)};
  while (!open_ones.empty() && out.size() < kMostAlternatives) {
    const std::string one = std::move(open_ones.back());
    open_ones.pop_back();
    size_t open = 0;
    while (open < one.size() && one[open] != '{') open += one[open] == '\\' ? 2 : 1;
    const size_t close = open < one.size() ? EndOfGroup(one, open) : std::string_view::npos;
    if (close == std::string_view::npos) {
      out.push_back(one);
      continue;
    }
    const std::vector<std::string_view> members =
        Members(std::string_view(one).substr(open + 1, close - open - 1));
    for (size_t i = members.size(); i-- > 0;) {
      open_ones.push_back(one.substr(0, open) + std::string(members[i]) + one.substr(close + 1));
    }
  }
  return out;
}

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

// "[:alpha:]" at `i`, which is moved behind it; false: no such thing stands there.
bool ReadNamedClass(std::string_view glob, size_t& i, std::bitset<256>& members) {
  const size_t end = glob.substr(i).starts_with("[:") ? glob.find(":]", i + 2) : glob.npos;
  if (end == glob.npos) return false;
  const auto found =
      std::ranges::find(kClasses, glob.substr(i + 2, end - i - 2), &CharacterClass::name);
  for (int c = 0; found != kClasses.end() && c < 256; ++c) {
    if (found->test(c) != 0) members.set(static_cast<size_t>(c));
  }
  i = end + 2;
  return true;
}

// "[a-c]" at `i`, which is moved to its "]"; false: it has no end.
bool ReadClass(std::string_view glob, size_t& i, std::bitset<256>& members) {
  size_t k = i + 1;
  const bool negated = k < glob.size() && (glob[k] == '!' || glob[k] == '^');
  if (negated) ++k;
  for (bool first = true; k < glob.size() && (first || glob[k] != ']'); first = false) {
    if (ReadNamedClass(glob, k, members)) continue;
    if (glob[k] == '\\' && k + 1 < glob.size()) ++k;
    const auto low = static_cast<unsigned char>(glob[k++]);
    auto high = low;
    if (k + 1 < glob.size() && glob[k] == '-' && glob[k + 1] != ']') {
      high = static_cast<unsigned char>(glob[k + 1]);
      k += 2;
    }
    for (size_t c = low; c <= high; ++c) members.set(c);
  }
  if (k >= glob.size()) return false;
  if (negated) members.flip();
  members.reset('/');
  i = k;
  return true;
}

std::vector<Token> Compile(std::string_view glob, Dialect dialect) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < glob.size(); ++i) {
    const std::string_view rest = glob.substr(i);
    // Two stars are more than one for git only as a whole part of the path.
    const bool starts = dialect == Dialect::kConfig || i == 0 || glob[i - 1] == '/';
    Token token{.letter = glob[i]};
    if (glob[i] == '\\' && i + 1 < glob.size()) {
      token.letter = glob[++i];
    } else if (starts && rest.starts_with("**/")) {
      token.kind = TokenKind::kFolders;
      i += 2;
    } else if (starts && (dialect == Dialect::kGit ? rest == "**" : rest.starts_with("**"))) {
      token.kind = TokenKind::kAll;
      ++i;
    } else if (glob[i] == '*') {
      token.kind = TokenKind::kStar;
    } else if (glob[i] == '?') {
      token.kind = TokenKind::kAny;
    } else if (glob[i] == '[') {
      const bool closed = ReadClass(glob, i, token.members);
      if (closed || dialect == Dialect::kGit) token.kind = TokenKind::kClass;
      if (!closed) token.members.reset();
    }
    tokens.push_back(token);
  }
  return tokens;
}

bool OneLetter(const Token& token, char c) {
  switch (token.kind) {
    case TokenKind::kLetter:
      return token.letter == c;
    case TokenKind::kAny:
      return c != '/';
    case TokenKind::kClass:
      return token.members[static_cast<unsigned char>(c)];
    default:
      return false;
  }
}

// Row by row: whether the tokens from `t` on match the name from `n` on.
bool Matches(const std::vector<Token>& tokens, std::string_view name) {
  const size_t length = name.size();
  std::vector<char> rest(length + 1, 0), row(length + 1, 0);
  rest[length] = 1;
  for (size_t t = tokens.size(); t-- > 0;) {
    const Token& token = tokens[t];
    // This is whether the rest matches at a position after a "/" further on.
    bool after_slash = false;
    for (size_t n = length + 1; n-- > 0;) {
      const bool more = n < length;
      if (more && name[n] == '/' && rest[n + 1] != 0) after_slash = true;
      bool match = false;
      if (token.kind == TokenKind::kStar) {
        match = rest[n] != 0 || (more && name[n] != '/' && row[n + 1] != 0);
      } else if (token.kind == TokenKind::kAll) {
        match = rest[n] != 0 || (more && row[n + 1] != 0);
      } else if (token.kind == TokenKind::kFolders) {
        match = rest[n] != 0 || after_slash;
      } else {
        match = more && rest[n + 1] != 0 && OneLetter(token, name[n]);
      }
      row[n] = match ? 1 : 0;
    }
    std::swap(rest, row);
  }
  return rest[0] != 0;
}

// Letters of a folder's name stand for themselves.
std::string Quoted(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (std::string_view("\\*?[]{}").find(c) != std::string_view::npos) {
      quoted += '\\';
    }
    quoted += c;
  }
  return quoted;
}

bool NameMatches(std::string_view glob, std::string_view relative, bool folders_only) {
  while (!relative.empty()) {
    const size_t slash = relative.find('/');
    const bool last = slash == std::string_view::npos;
    if (MatchesGlob(glob, relative.substr(0, slash)) && !(last && folders_only)) {
      return true;
    }
    if (last) return false;
    relative.remove_prefix(slash + 1);
  }
  return false;
}

bool OneMatches(std::string_view glob, const std::string& base, const std::string& file) {
  const bool folders_only = glob.ends_with('/');
  while (glob.size() > 1 && glob.ends_with('/')) glob.remove_suffix(1);
  while (glob.starts_with("./")) glob.remove_prefix(2);
  if (glob.find('/') == std::string_view::npos) {
    const std::string inside = base + "/";
    const std::string_view path = file;
    return NameMatches(glob, path.starts_with(inside) ? path.substr(inside.size()) : path,
                       folders_only);
  }
  const std::string absolute =
      glob.starts_with('/') ? std::string(glob) : Quoted(base) + "/" + std::string(glob);
  // The file, then the folders that it is in.
  std::string_view path = file;
  if (folders_only) path = path.substr(0, path.rfind('/'));
  while (!path.empty() && path != "/") {
    if (MatchesGlob(absolute, path)) return true;
    const size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) break;
    path = path.substr(0, slash);
  }
  return false;
}

}  // namespace

absl::Status CheckGlob(std::string_view glob) {
  if (glob.size() <= kLongestGlob) return absl::OkStatus();
  return InvalidInput(
      fmt::format("found {} characters, expected a glob of at most {}", glob.size(), kLongestGlob));
}

std::string GlobBelow(const std::string& base, const std::string& glob) {
  const std::string_view body = std::string_view(glob).substr(0, glob.find_last_not_of('/') + 1);
  if (body.find('/') == std::string_view::npos) return glob;
  const std::string quoted = Quoted(base);
  // The glob is absolute already: GlobBelow or somebody by hand wrote it.
  if (glob.starts_with(quoted + "/")) return glob;
  return quoted + "/" + (glob.starts_with('/') ? glob.substr(1) : glob);
}

std::string ShownGlob(const std::string& glob, const std::string& base) {
  const std::string folder = Quoted(base) + "/";
  return glob.starts_with(folder) ? glob.substr(folder.size()) : glob;
}

bool MatchesGlob(std::string_view glob, std::string_view name) {
  if (glob.size() > kLongestGlob) return false;
  return std::ranges::any_of(Expand(glob), [name](const std::string& plain) {
    return Matches(Compile(plain, Dialect::kConfig), name);
  });
}

bool MatchesGitGlob(std::string_view glob, std::string_view path) {
  return Matches(Compile(glob, Dialect::kGit), path);
}

bool MatchesNode(std::string_view glob, std::string_view name) {
  while (!name.empty()) {
    if (MatchesGlob(glob, name)) return true;
    const size_t slash = name.rfind('/');
    name = name.substr(0, slash == std::string_view::npos ? 0 : slash);
  }
  return false;
}

bool MatchesPath(const std::vector<std::string>& globs, const std::string& base,
                 std::string_view file) {
  if (globs.empty()) return false;
  const std::string absolute = AbsolutePath(file).generic_string();
  return std::ranges::any_of(
      globs, [&](const std::string& glob) { return OneMatches(glob, base, absolute); });
}

}  // namespace tilewise
