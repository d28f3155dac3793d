// One line a file: size, times, inode, hash and path. Lines of files that were
// not asked for are kept, up to a number, because runs look at parts of a tree.

#include "lint/cache.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/content_hash.h"
#include "base/paths.h"
#include "base/read_file.h"
#include "lint/program_json.h"
#include "lint/write_file.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader = "tilewise file states 1\n";
constexpr size_t kMostEntries = 200'000;
constexpr size_t kLargestStates = size_t{256} << 20;
constexpr size_t kLargestEntry = size_t{64} << 20;
constexpr int64_t kCoarseNs = 2'000'000'000;
// Weights of a model: their size and time tell as much as reading them.
constexpr int64_t kLargestRead = int64_t{64} << 20;

int64_t Nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

template <class Number>
bool TakeNumber(std::string_view& line, Number& value) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc() || end == line.data() + line.size() || *end != ' ') {
    return false;
  }
  line.remove_prefix(static_cast<size_t>(end - line.data()) + 1);
  return true;
}

absl::StatusOr<std::string> HashBytes(const std::string& path, const FileStamp& stamp) {
  ContentHash hash;
  if (stamp.size > kLargestRead) {
    return hash.Add(uint64_t(stamp.size))
        .Add(uint64_t(stamp.modified_ns))
        .Add(uint64_t(stamp.changed_ns))
        .Hex();
  }
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string text(stamp.size, '\0');
  size_t done = 0;
  while (file >= 0 && done < text.size()) {
    const ssize_t count = read(file, text.data() + done, text.size() - done);
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  const int problem = errno;
  if (file >= 0) close(file);
  if (file < 0 || done < text.size()) {
    return absl::UnavailableError(fmt::format("cannot read {}: {}", path, std::strerror(problem)));
  }
  return hash.Add(text).Hex();
}

namespace fs = std::filesystem;

constexpr std::string_view kIgnoreAll = "# Made by tilewise; safe to delete.\n*\n";
constexpr std::string_view kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# A folder of tilewise that can be deleted at any time.\n"
    "# See https://bford.info/cachedir/\n";
constexpr std::string_view kStates = "files.txt";

constexpr std::string_view kEntryMark = "tilewise entry ";

absl::Status WriteInCache(const fs::path& path, std::string_view bytes) {
  return WriteFileAtomically(path.string(), bytes, AtLink::kReplace);
}

// Whether the folder is a cache, or becomes one. One that holds anything is
// someone's, unless its tag is the one that a cache gets.
bool MakeFolder(const fs::path& folder) {
  std::error_code error;
  const fs::path tag = folder / "CACHEDIR.TAG";
  if (fs::is_symlink(folder, error)) return false;
  const auto tagged = [&tag] {
    return ReadRegularFile(tag.string(), kTag.size()).value_or("") == kTag;
  };
  if (tagged()) return true;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    // Another process may be writing the tag, or have written it since it was looked for.
    if (!it->path().filename().string().starts_with(".CACHEDIR.TAG.")) return tagged();
  }
  fs::create_directories(folder, error);
  if (error) return false;
  // The tag comes first: with it the folder is a cache.
  return WriteInCache(tag, kTag).ok() && WriteInCache(folder / ".gitignore", kIgnoreAll).ok();
}

// Its first line is its mark, whose entry it is and the hash of what follows: a
// file that was renamed, copied into the folder or damaged is not an entry.
std::string FirstLine(std::string_view identity, std::string_view key, std::string_view json) {
  return fmt::format("{}{} {} {}\n", kEntryMark, identity, key, ContentHash().Add(json).Hex());
}

// Whether a cache wrote the file of that name.
bool IsEntry(const fs::path& path) {
  std::error_code error;
  if (path.extension() != ".json" || path.stem().string().size() != 32) return false;
  if (!fs::is_regular_file(fs::symlink_status(path, error))) return false;
  std::ifstream in(path, std::ios::binary);
  std::string start(kEntryMark.size(), '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == kEntryMark;
}

struct CacheFile {
  fs::path path;
  fs::file_time_type time;
  int64_t bytes = 0;
};

}  // namespace

absl::StatusOr<FileStamp> StampOf(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return absl::NotFoundError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  return FileStamp{.size = status.st_size,
                   .modified_ns = Nanoseconds(status.st_mtim),
                   .changed_ns = Nanoseconds(status.st_ctim),
                   .inode = status.st_ino};
}

void FileStates::Load(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadRegularFile(path, kLargestStates);
  if (!text.ok()) return;
  std::string_view rest = *text;
  if (!rest.starts_with(kHeader)) return;
  rest.remove_prefix(kHeader.size());
  const std::lock_guard lock(mutex_);
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    Entry entry;
    if (!TakeNumber(line, entry.stamp.size) || !TakeNumber(line, entry.stamp.modified_ns) ||
        !TakeNumber(line, entry.stamp.changed_ns) || !TakeNumber(line, entry.stamp.inode) ||
        line.size() < 34 || line[32] != ' ') {
      continue;
    }
    entry.hash = line.substr(0, 32);
    entries_.insert_or_assign(std::string(line.substr(33)), std::move(entry));
  }
}

absl::Status FileStates::Save(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  if (!changed_ || entries_.size() > kMostEntries) return absl::OkStatus();
  std::string text(kHeader);
  for (const auto& [file, entry] : entries_) {
    if (file.find('\n') != std::string::npos) continue;
    const FileStamp& stamp = entry.stamp;
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {} {}\n", stamp.size, stamp.modified_ns,
                   stamp.changed_ns, stamp.inode, entry.hash, file);
  }
  return WriteInCache(path, text);
}

absl::StatusOr<std::string> FileStates::HashOf(const std::string& path, int64_t now_ns) {
  std::error_code error;
  return fs::is_directory(path, error) ? HashOfFolder(path, now_ns) : HashOfFile(path, now_ns);
}

absl::StatusOr<std::string> FileStates::HashOfFile(const std::string& path, int64_t now_ns) {
  std::error_code error;
  const std::string whole = AbsolutePath(path).string();
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
    return InvalidInput(fmt::format("{}: is neither a file nor a folder", path));
  }
  TW_ASSIGN_OR_RETURN(const FileStamp stamp, StampOf(path));
  {
    const std::lock_guard lock(mutex_);
    const auto known = entries_.find(whole);
    if (known != entries_.end() && known->second.stamp == stamp) {
      return known->second.hash;
    }
  }
  TW_ASSIGN_OR_RETURN(std::string hash, HashBytes(path, stamp));
  if (now_ns - stamp.modified_ns >= kCoarseNs && now_ns - stamp.changed_ns >= kCoarseNs) {
    const std::lock_guard lock(mutex_);
    entries_.insert_or_assign(whole, Entry{.stamp = stamp, .hash = hash});
    changed_ = true;
  }
  return hash;
}

absl::StatusOr<std::string> FileStates::HashOfFolder(const std::string& path, int64_t now_ns) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    if (it->is_regular_file(error)) files.push_back(it->path().string());
  }
  if (error) {
    return absl::UnavailableError(fmt::format("cannot read {}: {}", path, error.message()));
  }
  std::ranges::sort(files);
  ContentHash hash;
  for (const std::string& file : files) {
    TW_ASSIGN_OR_RETURN(const std::string of_file, HashOfFile(file, now_ns));
    hash.Add(std::string_view(file).substr(path.size())).Add(of_file);
  }
  return hash.Hex();
}

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
  const absl::StatusOr<std::string> text = ReadRegularFile(PathOf(key), kLargestEntry);
  if (!text.ok()) return std::nullopt;
  const size_t end = std::min(text->find('\n'), text->size() - 1);
  const std::string_view json = std::string_view(*text).substr(end + 1);
  if (!text->starts_with(FirstLine(identity_, key, json))) return std::nullopt;
  return ReadProgramJson(json);
}

void ResultCache::Keep(const std::string& key, const LintedProgram& program) {
  if (!usable_) return;
  const std::optional<std::string> json = WriteProgramJson(program);
  if (!json || json->size() > kLargestEntry) return;
  if (WriteInCache(PathOf(key), FirstLine(identity_, key, *json) + *json).ok()) wrote_ = true;
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
    const fs::path name = it->path().filename();
    if (name.extension() != ".json" || it->is_symlink(gone)) continue;
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
    if (IsEntry(files[i].path)) fs::remove(files[i].path, error);
  }
}

}  // namespace tilewise
