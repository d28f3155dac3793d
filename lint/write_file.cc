// mkstemp in the same folder, write, fchmod, rename. Not synced to the disk: a
// power failure is for the file system to survive.

#include "lint/write_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewise {
namespace {

namespace fs = std::filesystem;

absl::Status CannotWrite(const std::string& path, int problem) {
  return absl::UnavailableError(fmt::format("cannot write {}: {}", path, std::strerror(problem)));
}

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(count);
  }
  return true;
}

// The mode of the file that is replaced; a new one's is what the umask leaves.
mode_t ModeOf(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return status.st_mode & 07777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes) {
  std::error_code error;
  fs::path target = path;
  if (fs::is_symlink(target, error)) {
    target = fs::canonical(target, error);
    if (error) return CannotWrite(path, error.value());
  }
  struct stat status {};
  // A read-only file is one that its owner does not want changed.
  if (stat(target.c_str(), &status) == 0 && access(target.c_str(), W_OK) != 0) {
    return CannotWrite(path, errno);
  }
  const mode_t mode = ModeOf(target.string());
  std::string temporary =
      (target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string();
  const int file = mkstemp(temporary.data());
  if (file < 0) return CannotWrite(path, errno);
  bool done = WriteAll(file, bytes) && fchmod(file, mode) == 0;
  int problem = errno;
  if (close(file) != 0 && done) {
    done = false;
    problem = errno;
  }
  if (done && std::rename(temporary.c_str(), target.c_str()) != 0) {
    done = false;
    problem = errno;
  }
  if (done) return absl::OkStatus();
  unlink(temporary.c_str());
  return CannotWrite(path, problem);
}

absl::StatusOr<std::string> ReadWholeFile(const std::string& path) {
  constexpr uintmax_t kLargest = uintmax_t{256} << 20;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return InvalidInput(fmt::format("{}: found a directory, expected a file", path));
  }
  const uintmax_t size = fs::file_size(path, error);
  if (!error && size > kLargest) {
    return InvalidInput(fmt::format("{}: found more than 256 MiB, expected at most that", path));
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in.is_open() || in.bad()) {
    return absl::UnavailableError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  return text.str();
}

}  // namespace tilewise
