// The file is asked what it is after it was opened, so that nothing can take
// its place between.

#include "base/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewise {
namespace {

absl::Status ReadFailed(const std::string& path, int problem) {
  return absl::UnavailableError(fmt::format("cannot read {}: {}", path, std::strerror(problem)));
}

absl::StatusOr<std::string> ReadOpened(const std::string& path, int file, size_t most) {
  struct stat status {};
  if (fstat(file, &status) != 0) return ReadFailed(path, errno);
  if (!S_ISREG(status.st_mode)) {
    return absl::NotFoundError(fmt::format("{}: found no regular file, expected one", path));
  }
  std::string text(std::min(most, static_cast<size_t>(status.st_size)) + 1, '\0');
  size_t done = 0;
  while (done <= most) {
    if (done == text.size()) text.resize(std::min(most + 1, 2 * done));
    const ssize_t count = read(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ReadFailed(path, errno);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  if (done > most) {
    return InvalidInput(
        fmt::format("{}: found more than {} bytes, expected at most that", path, most));
  }
  text.resize(done);
  return text;
}

}  // namespace

absl::StatusOr<std::string> ReadRegularFile(const std::string& path, size_t most) {
  // O_NONBLOCK is needed because open() would wait for a writer of a pipe.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENXIO)) {
    return absl::NotFoundError(fmt::format("{}: found no file, expected one", path));
  }
  if (file < 0) return ReadFailed(path, errno);
  absl::StatusOr<std::string> text = ReadOpened(path, file, most);
  close(file);
  return text;
}

}  // namespace tilewise
