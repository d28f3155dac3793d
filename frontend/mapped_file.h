// The bytes of a file, mapped into memory where the system can do that.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tilewise {

// Unmaps when it goes away. Pages that are not looked at are not read, so a
// model's weights cost nothing. A file must not shrink while it is mapped.
class MappedFile {
 public:
  // Pipes and devices, which cannot be mapped, are read, up to 256 MiB. Errors:
  // no such file, a directory, not readable, too large.
  static absl::StatusOr<MappedFile> Open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::string_view bytes() const {
    return mapping_ == nullptr ? std::string_view(text_)
                               : std::string_view(static_cast<const char*>(mapping_), size_);
  }

 private:
  MappedFile() = default;

  void* mapping_ = nullptr;
  size_t size_ = 0;
  std::string text_;  // of what is not mapped
};

}  // namespace tilewise
