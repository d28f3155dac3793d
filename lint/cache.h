// What earlier runs found, by the hash of all that it depends on; and content
// hashes of files, remembered by size, times and inode, so that a file that did
// not change is not read again.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/status.h"
#include "lint/linted_program.h"

namespace tilewise {

struct FileStamp {
  int64_t size = 0;
  int64_t modified_ns = 0;
  int64_t changed_ns = 0;  // of the inode: also for times that were set back
  uint64_t inode = 0;
  auto operator<=>(const FileStamp&) const = default;
};

// Errors: no such file, no permission.
absl::StatusOr<FileStamp> StampOf(const std::string& path);

// FileStates is safe to use from several threads.
class FileStates {
 public:
  // What an earlier run saved; anything that is not understood is dropped.
  void Load(const std::string& path);
  // Errors: what cannot be written. Writes nothing when nothing changed.
  absl::Status Save(const std::string& path) const;

  // Returns the hash of a file's bytes, or of the names and contents in a folder. `now_ns`: a file
  // that was modified within two seconds before is read again next time, as clocks of file systems
  // are coarse. Errors: unreadable.
  absl::StatusOr<std::string> HashOf(const std::string& path, int64_t now_ns);

 private:
  struct Entry {
    FileStamp stamp;
    std::string hash;
  };
  absl::StatusOr<std::string> HashOfFile(const std::string& path, int64_t now_ns);
  absl::StatusOr<std::string> HashOfFolder(const std::string& path, int64_t now_ns);

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // by absolute path
  bool changed_ = false;
};

inline constexpr std::string_view kCacheFolderName = ".tilewise_cache";

// A folder with one file per program, and the hashes of files that were read
// (file_state.h). Several threads and processes may use it at once: entries are
// written aside and renamed, and what cannot be read or understood counts as
// not there.
class ResultCache {
 public:
  // `identity`: of the program that fills it; entries of another one are not
  // seen. Makes the folder, with a .gitignore that ignores all of it and a
  // CACHEDIR.TAG for tools that make backups. A folder that cannot be made or
  // written to, that is a symbolic link, or that holds something without being a
  // cache is no error: then nothing is kept.
  ResultCache(std::string folder, std::string identity);
  bool usable() const { return usable_; }

  // `key`: of the files and settings of one program.
  std::optional<LintedProgram> Find(const std::string& key) const;
  void Keep(const std::string& key, const LintedProgram& program);

  FileStates& files() { return files_; }

  // Saves the hashes of files, and drops the oldest entries when there are too
  // many of them or they are too large.
  void Finish();

 private:
  std::string PathOf(const std::string& key) const;

  std::string folder_;
  std::string identity_;
  bool usable_ = false;
  std::atomic<bool> wrote_ = false;
  FileStates files_;
};

// Entries beyond these are dropped, oldest first.
inline constexpr int64_t kMostCacheEntries = 20'000;
inline constexpr int64_t kMostCacheBytes = int64_t{256} << 20;

// Drops entries until at most `entries` and `bytes` are left; files that no cache
// wrote stay.
void TrimCache(const std::string& folder, int64_t entries, int64_t bytes);

}  // namespace tilewise
