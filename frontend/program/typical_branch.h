// What one of several functions takes, of which a condition runs one.

#pragma once

#include <vector>

#include "frontend/program/map_function.h"

namespace tilewise::program {

// The branch that is nearest to what one of them takes on average, all being as likely; the dearer
// one of two as near. `branches` are not empty.
const MapFunction& TypicalBranch(const std::vector<MapFunction>& branches);

}  // namespace tilewise::program
