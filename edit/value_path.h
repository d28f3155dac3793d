// Finds where "train_config.ops[1].type" leads in a file, which all edits of data begin with.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/workload.h"

namespace tilewise {

// A key, or the number of an element.
struct PathStep {
  std::string_view key;  // empty: an element
  size_t index = 0;
};

// Returns nothing for a path that is empty or has an empty key or an unclosed bracket.
std::optional<std::vector<PathStep>> ParseValuePath(std::string_view path);

// A file whose data is to be edited, and the path to the value.
struct DataPosition {
  Span start;             // of the text
  std::string_view text;  // outlived by the workload
  std::vector<PathStep> steps;
};
// Returns nothing for a file that the workload has not, and for a path as above.
std::optional<DataPosition> FindInData(const Workload& workload, const std::string& file,
                                       std::string_view path);

}  // namespace tilewise
