// The files of a Git repository at a revision, without touching its work tree:
// blobs are read with the git program and written to a folder of their own.

#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace tilewise {

// A folder that is gone when this is.
class TemporaryFolder {
 public:
  static absl::StatusOr<TemporaryFolder> Make();
  TemporaryFolder(TemporaryFolder&& other) noexcept { path_.swap(other.path_); }
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    path_.swap(other.path_);
    return *this;
  }
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

struct GitTree {
  TemporaryFolder folder;
  std::string revision;  // as given

  // Returns where `file`, which lies in the repository's work tree, is at the revision.
  std::string PathOf(const std::string& file) const;
  std::filesystem::path top;  // of the work tree
};

// `file` lies in the repository, now or at the revision. Sources, configurations
// and `files` are written, not larger ones than 4 MiB but for `files`. Errors: no
// git program, no repository, a revision that git does not know, in git's words.
absl::StatusOr<GitTree> ReadGitTree(const std::string& revision,
                                    const std::vector<std::string>& files);

// Whether `revision` is one of the repository that `file` lies in.
bool IsGitRevision(const std::string& revision, const std::string& file);

// The best common ancestor of two revisions.
absl::StatusOr<std::string> GitMergeBase(const std::string& a, const std::string& b,
                                         const std::string& file);

}  // namespace tilewise
