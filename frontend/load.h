// Files -> Workload. One reader per format; the table lists them.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "hardware/target.h"
#include "workload/workload.h"

namespace tilewise {

// What readers may need to fold constants: cores for num_replicas_in_sync.
struct LoadOptions {
  int64_t cores = 8;
};

struct InputFormat {
  std::string_view name;     // "keras-json"
  std::string_view summary;  // for `list formats`
  // Whether `text` (the whole file) looks like this format. `path` may be used
  // for its suffix only where the content cannot tell.
  bool (*sniff)(std::string_view path, std::string_view text);
  absl::StatusOr<Workload> (*read)(const std::string& path,
                                   const std::string& text,
                                   const LoadOptions& options);
};
std::span<const InputFormat> InputFormats();

// Reads and merges all files. Errors name the file and the place in it: missing
// file, directory, empty, too large (limit 256 MiB), unknown format, malformed.
absl::StatusOr<Workload> LoadFiles(const std::vector<std::string>& paths,
                                   const LoadOptions& options);

}  // namespace tilewise
