// What of a configuration findings depend on, for the key of the cache.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lint/config.h"
#include "lint/content_hash.h"

namespace tilewise {

void Add(ContentHash& hash, const std::vector<std::string>& words);
void Add(ContentHash& hash, const std::optional<bool>& flag);

// All but the settings that stand for options: a command has their values.
void Add(ContentHash& hash, const LintConfig& config);

}  // namespace tilewise
