// Files that are replaced as a whole or not at all.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace tilewise {

// Writes a file beside `path` and renames it, so that a reader sees the old
// bytes or the new ones. A file that was there keeps its mode; a symbolic link
// stays one, and the file that it points to is replaced. Errors: what cannot be
// written; then `path` is as it was.
absl::Status WriteFileAtomically(const std::string& path, std::string_view bytes);

// All bytes of a file. Errors: unreadable, more than 256 MiB.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path);

}  // namespace tilewise
