// POSIX calls: regular files are mapped read-only, everything else is read to
// its end.

#include "frontend/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewise {
namespace {

constexpr size_t kLargestStream = size_t{256} << 20;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

absl::Status CannotOpen(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    return absl::NotFoundError(fmt::format("{}: no such file", path));
  }
  return absl::PermissionDeniedError(fmt::format("{}: cannot be opened for reading", path));
}

// Sizes of pipes and devices are not known: count while reading.
absl::StatusOr<std::string> ReadToEnd(const std::string& path, int descriptor) {
  bool waited = false;
  std::string text;
  std::string block(size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t got = read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) {
      pollfd waits = {descriptor, POLLIN, 0};
      poll(&waits, 1, -1);
      continue;
    }
    if (got < 0) {
      return absl::DataLossError(fmt::format("{}: reading failed", path));
    }
    if (got == 0 && text.empty() && !waited) {
      // Who writes to a pipe may open it later; nobody is not waited for.
      constexpr int kMilliseconds = 2000;
      pollfd waits = {descriptor, POLLIN, 0};
      poll(&waits, 1, kMilliseconds);
      waited = true;
      continue;
    }
    if (got == 0) return text;
    text.append(block, 0, got);
    if (text.size() > kLargestStream) {
      return InvalidInput(
          fmt::format("{}: found more than 256 MiB that cannot be mapped, expected a "
                      "regular file or at most 256 MiB",
                      path));
    }
  }
}

}  // namespace

absl::StatusOr<MappedFile> MappedFile::Open(const std::string& path) {
  // O_NONBLOCK is needed because open() would wait for a writer of a pipe.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return CannotOpen(path, errno);
  struct stat status = {};
  if (fstat(file.number(), &status) != 0) return CannotOpen(path, errno);
  if (S_ISDIR(status.st_mode)) {
    return InvalidInput(fmt::format("{}: found a directory, expected a file", path));
  }
  MappedFile mapped;
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const size_t size = status.st_size;
    void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (start != MAP_FAILED) {
      mapped.mapping_ = start;
      mapped.size_ = size;
      return mapped;
    }
  }
  TW_ASSIGN_OR_RETURN(mapped.text_, ReadToEnd(path, file.number()));
  return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      text_(std::move(other.text_)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(size_, other.size_);
  std::swap(text_, other.text_);
  return *this;
}

MappedFile::~MappedFile() {
  if (mapping_ != nullptr) munmap(mapping_, size_);
}

}  // namespace tilewise
