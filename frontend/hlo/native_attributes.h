// Attributes of graph ops as the text of graphs writes them, apart from it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace tilewise::hlo {

// "dims={1}, phase=backward", or "", of each op: its attributes and context
// that are not as they are by default. `ops` are numbered in order; their names
// and operands are not looked at.
std::vector<std::string> AttributeTexts(OpList ops);

// Sets what such a text states. Errors: found and expected.
absl::Status ReadAttributes(std::string_view text, Op& op);

}  // namespace tilewise::hlo
