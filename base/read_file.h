// Files that are read as a whole: regular ones of a bounded size.

#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

namespace tilewise {

// The bytes of the file at `path`; links are followed. A pipe or device is not
// waited for, and a file that grows while it is read is not read beyond `most`.
// Errors: kNotFound: no regular file of that name; kInvalidArgument: more than
// `most` bytes; kUnavailable: no permission, reading failed.
absl::StatusOr<std::string> ReadRegularFile(const std::string& path, size_t most);

}  // namespace tilewise
