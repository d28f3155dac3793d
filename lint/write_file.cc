// The new bytes go to a file without a name where the file system has such (an
// end of the process leaves nothing), else to one that mkstemp names; it gets
// its name and takes the other's place with signals blocked. It is not synced
// to the disk: a power failure is for the file system to survive.

#include "lint/write_file.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewise {
namespace {

namespace fs = std::filesystem;

absl::Status CannotWrite(const std::string& path, int problem) {
  return absl::UnavailableError(fmt::format("cannot write {}: {}", path, std::strerror(problem)));
}

class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

// 0, or what went wrong.
int WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

mode_t NewMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// The file's bytes are put back when the new ones cannot be written.
int WriteInPlace(const std::string& path, std::string_view bytes) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return errno;
  std::string old;
  std::array<char, 1 << 16> block{};
  for (ssize_t count = 0; (count = read(file, block.data(), block.size())) > 0;) {
    old.append(block.data(), static_cast<size_t>(count));
  }
  const WithoutSignals whole;
  int problem = 0;
  // The room is taken first; what the file system cannot promise is tried.
  if (bytes.size() > old.size()) {
    problem = posix_fallocate(file, 0, static_cast<off_t>(bytes.size()));
    if (problem == EOPNOTSUPP || problem == EINVAL) problem = 0;
  }
  if (problem == 0 && lseek(file, 0, SEEK_SET) != 0) problem = errno;
  if (problem == 0) problem = WriteAll(file, bytes);
  if (problem == 0 && ftruncate(file, static_cast<off_t>(bytes.size())) != 0) problem = errno;
  if (problem != 0) {
    lseek(file, 0, SEEK_SET);
    WriteAll(file, old);
    if (ftruncate(file, static_cast<off_t>(old.size())) != 0) problem = errno;
  }
  close(file);
  return problem;
}

// A file beside `target` that is renamed to it.
class FileInPlaceOf {
 public:
  explicit FileInPlaceOf(const fs::path& target)
      : target_(target.string()),
        folder_(target.has_parent_path() ? target.parent_path().string() : "."),
        name_((target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string()) {
    // It gets its name through /proc.
    if (access("/proc/self/fd", X_OK) == 0) {
      file_ = open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    }
    if (file_ >= 0) return;
    file_ = mkstemp(name_.data());
    named_ = file_ >= 0;
  }
  FileInPlaceOf(const FileInPlaceOf&) = delete;
  FileInPlaceOf& operator=(const FileInPlaceOf&) = delete;
  ~FileInPlaceOf() {
    if (file_ >= 0) close(file_);
    if (named_) unlink(name_.c_str());
  }

  int file() const { return file_; }

  int TakePlace() {
    const WithoutSignals whole;
    if (!named_ && !GetName()) return errno;
    if (std::rename(name_.c_str(), target_.c_str()) != 0) return errno;
    named_ = false;
    return 0;
  }

 private:
  bool GetName() {
    constexpr int kMostTries = 100;
    const std::string own = fmt::format("/proc/self/fd/{}", file_);
    const std::string start = name_.substr(0, name_.rfind('.'));
    for (int i = 0; i < kMostTries && !named_; ++i) {
      name_ = fmt::format("{}.{}-{}", start, getpid(), i);
      named_ = linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0;
      if (!named_ && errno != EEXIST) return false;
    }
    return named_;
  }

  std::string target_, folder_, name_;
  int file_ = -1;
  bool named_ = false;
};

}  // namespace

absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes, AtLink link) {
  std::error_code error;
  fs::path target = path;
  if (link == AtLink::kFollow && fs::is_symlink(target, error)) {
    target = fs::canonical(target, error);
    if (error) return CannotWrite(path, error.value());
  }
  struct stat status {};
  const bool is_new = lstat(target.c_str(), &status) != 0 || S_ISLNK(status.st_mode);
  if (!is_new && !S_ISREG(status.st_mode)) {
    return absl::FailedPreconditionError(
        fmt::format("cannot write {}: found no regular file, expected one or none", path));
  }
  // A read-only file is one that its owner does not want changed.
  if (!is_new && access(target.c_str(), W_OK) != 0) return CannotWrite(path, errno);
  int problem = 0;
  bool in_place = !is_new && status.st_nlink > 1;
  if (!in_place) {
    FileInPlaceOf file(target);
    if (file.file() < 0) return CannotWrite(path, errno);
    const bool owned = is_new || (status.st_uid == geteuid() && status.st_gid == getegid()) ||
                       fchown(file.file(), status.st_uid, status.st_gid) == 0;
    in_place = !owned;
    if (owned) {
      problem = WriteAll(file.file(), bytes);
      const mode_t mode = is_new ? NewMode() : status.st_mode & 07777;
      if (problem == 0 && fchmod(file.file(), mode) != 0) problem = errno;
      if (problem == 0) problem = file.TakePlace();
    }
  }
  if (in_place) problem = WriteInPlace(target.string(), bytes);
  return problem == 0 ? absl::OkStatus() : CannotWrite(path, problem);
}

}  // namespace tilewise
