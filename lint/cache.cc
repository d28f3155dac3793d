// An entry's first line is its key: a file that was renamed or copied into the
// folder is not taken for another one's.

#include "lint/cache.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "lint/content_hash.h"
#include "lint/program_json.h"
#include "lint/write_file.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIgnoreAll = "# Made by tilewise; safe to delete.\n*\n";
constexpr std::string_view kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# A folder of tilewise that can be deleted at any time.\n"
    "# See https://bford.info/cachedir/\n";
constexpr std::string_view kStates = "files.txt";

bool MakeFolder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_regular_file(folder / "CACHEDIR.TAG", error)) return true;
  fs::create_directories(folder, error);
  if (error) return false;
  return WriteFileAtomically((folder / ".gitignore").string(), kIgnoreAll).ok() &&
         WriteFileAtomically((folder / "CACHEDIR.TAG").string(), kTag).ok();
}

struct CacheFile {
  fs::path path;
  fs::file_time_type time;
  int64_t bytes = 0;
};

}  // namespace

ResultCache::ResultCache(std::string folder, std::string identity)
    : folder_(std::move(folder)), identity_(std::move(identity)) {
  usable_ = MakeFolder(folder_);
  if (usable_) files_.Load((fs::path(folder_) / kStates).string());
}

std::string ResultCache::PathOf(const std::string& key) const {
  const std::string name = ContentHash().Add(identity_).Add(key).Hex();
  return (fs::path(folder_) / (name + ".json")).string();
}

std::optional<LintedProgram> ResultCache::Find(const std::string& key) const {
  if (!usable_) return std::nullopt;
  const std::string path = PathOf(key);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const absl::StatusOr<std::string> text = ReadWholeFile(path);
  const std::string first = fmt::format("{} {}\n", identity_, key);
  if (!text.ok() || !text->starts_with(first)) return std::nullopt;
  return ReadProgramJson(std::string_view(*text).substr(first.size()));
}

void ResultCache::Keep(const std::string& key, const LintedProgram& program) {
  if (!usable_) return;
  const std::optional<std::string> json = WriteProgramJson(program);
  if (!json) return;
  const absl::Status written =
      WriteFileAtomically(PathOf(key), fmt::format("{} {}\n{}", identity_, key, *json));
  if (written.ok()) wrote_ = true;
}

void ResultCache::Finish() {
  if (!usable_) return;
  // A cache that cannot be written is slow, not wrong.
  files_.Save((fs::path(folder_) / kStates).string()).IgnoreError();
  if (wrote_) TrimCache(folder_, kMostCacheEntries, kMostCacheBytes);
}

void TrimCache(const std::string& folder, int64_t entries, int64_t bytes) {
  std::vector<CacheFile> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;  // another process may be dropping entries too
    if (it->path().extension() != ".json") continue;
    const auto size = static_cast<int64_t>(it->file_size(gone));
    const fs::file_time_type time = it->last_write_time(gone);
    if (!gone) files.push_back({it->path(), time, size});
  }
  std::ranges::sort(files, [](const CacheFile& a, const CacheFile& b) {
    return a.time != b.time ? a.time > b.time : a.path < b.path;
  });
  int64_t kept_bytes = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    kept_bytes += files[i].bytes;
    if (static_cast<int64_t>(i) < entries && kept_bytes <= bytes) continue;
    fs::remove(files[i].path, error);
  }
}

}  // namespace tilewise
