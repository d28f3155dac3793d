// JSON text of unknown origin -> value, in bounded time and memory.

#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "base/status.h"

namespace tilewise {

// Errors: "line 3, column 7: ..." for malformed text, nesting deeper than 512,
// more than 4,000,000 values.
absl::StatusOr<nlohmann::json> ParseBoundedJson(std::string_view text);

}  // namespace tilewise
