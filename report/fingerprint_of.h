// What tells the findings of a report apart between runs.

#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tilewise {

// One of 16 hexadecimal digits per finding, no two the same: the finding's own,
// else a hash of rule, place and item, which changes when lines move.
std::vector<std::string> DistinctFingerprints(const std::vector<Diagnostic>& findings);

}  // namespace tilewise
