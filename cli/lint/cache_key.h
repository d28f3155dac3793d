// What the findings of a program depend on, as the key of the cache.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/lint/options.h"
#include "lint/cache.h"

namespace tilewise {

// The cache of a run: --cache-dir, else beside the configuration. Null with
// --no-cache.
std::unique_ptr<ResultCache> OpenCache(const LintOptions& options);

// `options`: those of one program. Nothing when its files cannot be read, or
// when they are no files (standard input).
std::optional<std::string> CacheKeyOf(const LintOptions& options, FileStates& files,
                                      int64_t now_ns);

// Nanoseconds since 1970.
int64_t NowNs();

}  // namespace tilewise
