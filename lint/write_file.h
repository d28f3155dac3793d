// Files that are replaced as a whole or not at all.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tilewise {

// What becomes of a symbolic link at the path that is written.
enum class AtLink : uint8_t {
  kFollow,   // it stays one, and the file that it points to is replaced
  kReplace,  // it is replaced itself, and what it points to is left alone
};

// Writes a file beside `path` and renames it, so that a reader sees the old
// bytes or the new ones. A file that was there keeps its mode and owner. One
// that has several names, or an owner that cannot be kept, is written in place,
// so that it stays one file. What is no regular file (a pipe, a device) is not
// replaced. No signal but SIGKILL leaves the file beside it behind. Errors: what
// cannot be written; then `path` is as it was.
absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes,
                                 AtLink link = AtLink::kFollow);

}  // namespace tilewise
