// Content hashes of files, remembered by size, times and inode, so that a file
// that did not change is not read again.

#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "base/status.h"

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

// Safe to use from several threads.
class FileStates {
 public:
  // What an earlier run saved; anything that is not understood is dropped.
  void Load(const std::string& path);
  // Errors: what cannot be written. Writes nothing when nothing changed.
  absl::Status Save(const std::string& path) const;

  // Of a file's bytes; of a folder the hash of the names and contents in it.
  // `now_ns`: a file that was modified within two seconds before is read again
  // next time, as clocks of file systems are coarse. Errors: unreadable.
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

}  // namespace tilewise
