// Members of a zip archive that is in memory. libzip stays behind this header.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tilewise {

class ZipArchive {
 public:
  // `bytes` must outlive the archive. Errors: no archive, damaged directory, or
  // one with more than 100,000 members.
  static absl::StatusOr<ZipArchive> Open(std::string_view bytes);

  // The member, inflated; empty when there is none of this name. Errors:
  // damaged or encrypted data, more than `limit` bytes, whatever the directory
  // says.
  absl::StatusOr<std::optional<std::string>> Read(const std::string& name, size_t limit) const;

 private:
  struct Closer {
    void operator()(void* archive) const;
  };
  explicit ZipArchive(void* archive) : archive_(archive) {}

  std::unique_ptr<void, Closer> archive_;
};

}  // namespace tilewise
