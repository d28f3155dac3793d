// What earlier runs found, by the hash of all that it depends on.

#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "lint/file_state.h"
#include "lint/linted_program.h"

namespace tilewise {

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
  // written to is no error: then nothing is kept.
  ResultCache(std::string folder, std::string identity);

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

// Drops entries (files ending in .json) until at most `entries` and `bytes` are
// left.
void TrimCache(const std::string& folder, int64_t entries, int64_t bytes);

}  // namespace tilewise
