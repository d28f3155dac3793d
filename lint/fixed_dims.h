// Dims that the user cannot change: what `fixed-dims` names.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise {

// Whether the words name dim `dim` of an op; null when there are none. A number
// ("30522") means every dim of that size; a glob ("embedding", "head/*") every
// dim of the ops and layers that it means, or that are in a scope of that name;
// with ":N" behind it ("dense/kernel:1") dim N of them alone. Errors: an empty
// word, a size below 1, a number of a dim that no tensor has.
absl::StatusOr<std::function<bool(const Op& op, int64_t dim)>> FixedDims(
    const std::vector<std::string>& words);

// Returns the words that mean no dim of any op, each with what it might have
// meant: the size or name in the graphs that is nearest to it ("did you mean
// ..."), else an example of one. The words must be such that FixedDims takes.
std::map<std::string, std::string> UnmatchedFixedDims(const std::vector<std::string>& words,
                                                      const std::vector<const Graph*>& graphs);

}  // namespace tilewise
