// A walk in the order of names. The .gitignore files above the folder, up to
// the root of its repository, are read too, so that a run in a subfolder sees
// what a run at the root sees.

#include "lint/discover.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/paths.h"
#include "base/read_file.h"
#include "lint/ignore_file.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// Folders of tools; those with a dot in front are passed over anyway.
constexpr std::array<std::string_view, 6> kToolFolders = {
    "node_modules", "__pycache__", "__pypackages__", "site-packages", "bazel-out", "buck-out"};
constexpr std::array<std::string_view, 2> kIgnoreFiles = {".gitignore", ".ignore"};

std::string ReadSmallFile(const fs::path& path) {
  constexpr size_t kLargest = 1 << 20;
  return ReadRegularFile(path.string(), kLargest).value_or("");
}

class Walk {
 public:
  explicit Walk(const DiscoverOptions& options) : options_(options) {}

  Discovered Run(const std::string& folder) {
    const fs::path start = folder.empty() ? fs::path(".") : fs::path(folder);
    EnterFoldersAbove(start);
    Enter(start, FromRoot(start));
    std::ranges::sort(found_.files);
    return std::move(found_);
  }

 private:
  // The path within the repository: what ignore files count from.
  std::string FromRoot(const fs::path& folder) const {
    const fs::path whole = RealPath(folder);
    if (root_.empty()) return "";
    const std::string path = whole.lexically_relative(root_).generic_string();
    return path == "." ? "" : path;
  }

  // Finds the root of the repository and reads its ignore files down to, but
  // not including, `start`.
  void EnterFoldersAbove(const fs::path& start) {
    std::error_code error;
    const fs::path whole = RealPath(start);
    for (fs::path at = whole; !at.empty(); at = at.parent_path()) {
      if (fs::exists(at / ".git", error)) {
        root_ = at;
        break;
      }
      if (at == at.root_path()) break;
    }
    if (root_.empty()) {
      root_ = whole;
      return;
    }
    ignored_.Push("", ReadSmallFile(root_ / ".git" / "info" / "exclude"));
    std::string inside;
    fs::path at = root_;
    for (const fs::path& part : whole.lexically_relative(root_)) {
      if (at == whole) break;
      PushIgnoreFiles(at, inside);
      at /= part;
      inside += (inside.empty() ? "" : "/") + part.string();
    }
  }

  int PushIgnoreFiles(const fs::path& folder, const std::string& inside) {
    if (!options_.respect_ignore_files) return 0;
    int pushed = 0;
    for (const std::string_view name : kIgnoreFiles) {
      const std::string text = ReadSmallFile(folder / name);
      if (text.empty()) continue;
      ignored_.Push(inside, text);
      ++pushed;
    }
    return pushed;
  }

  // Whether this folder or file has not been met before, by another name.
  bool IsNew(const fs::path& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return true;
    return met_.insert({status.st_dev, status.st_ino}).second;
  }

  void Enter(const fs::path& folder, const std::string& inside) {
    if (!IsNew(folder)) return;
    found_.folders.push_back(folder.string());
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      entries.push_back(*it);
    }
    if (error) {
      found_.unreadable.push_back(fmt::format("{}: {}", folder.string(), error.message()));
      return;
    }
    std::ranges::sort(entries, {}, [](const fs::directory_entry& entry) {
      return entry.path().filename().string();
    });
    const int pushed = PushIgnoreFiles(folder, inside);
    for (const fs::directory_entry& entry : entries) Visit(entry, inside);
    for (int i = 0; i < pushed; ++i) ignored_.Pop();
  }

  void Visit(const fs::directory_entry& entry, const std::string& inside) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.')) return;
    std::error_code error;
    const bool is_folder = entry.is_directory(error);
    const std::string path = Spelt(entry.path());
    const std::string from_root = inside.empty() ? name : inside + "/" + name;
    if (options_.respect_ignore_files && ignored_.Ignores(from_root, is_folder)) {
      return;
    }
    if (options_.excluded && options_.excluded(path)) return;
    // A link out of the checkout leads to what nobody named.
    if (entry.is_symlink(error) && !LiesIn(root_, entry.path())) return;
    if (is_folder) return VisitFolder(entry.path(), path, from_root);
    if (!entry.is_regular_file(error)) return;  // dead links, sockets, pipes
    if (options_.is_known && !options_.is_known(path)) return;
    if (!IsNew(entry.path())) return;
    found_.files.push_back(path);
  }

  void VisitFolder(const fs::path& folder, const std::string& path, const std::string& from_root) {
    const std::string name = folder.filename().string();
    std::error_code error;
    if (std::ranges::find(kToolFolders, name) != kToolFolders.end()) return;
    if (fs::exists(folder / "pyvenv.cfg", error)) return;
    if (!options_.is_program || !options_.is_program(path)) {
      return Enter(folder, from_root);
    }
    if (IsNew(folder)) found_.files.push_back(path);
  }

  // Returns the path without the "./" that the walk of "." puts in front.
  static std::string Spelt(const fs::path& path) {
    const std::string text = path.generic_string();
    return text.starts_with("./") ? text.substr(2) : text;
  }

  const DiscoverOptions& options_;
  fs::path root_;
  IgnoreStack ignored_;
  std::set<std::pair<dev_t, ino_t>> met_;
  Discovered found_;
};

}  // namespace

Discovered Discover(const std::string& folder, const DiscoverOptions& options) {
  return Walk(options).Run(folder);
}

}  // namespace tilewise
