// "train_config.ops[1].type" in parts.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tilewise {

// A key, or the number of an element.
struct PathStep {
  std::string_view key;  // empty: an element
  size_t index = 0;
};

// Nothing for a path that is empty or has an empty key or an unclosed bracket.
std::optional<std::vector<PathStep>> ParseValuePath(std::string_view path);

}  // namespace tilewise
