// Calls that run one of several functions for an element, and which of them stands for all.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "pipeline/pipeline.h"

namespace tilewise::program {

// Returns whether a call runs one of the functions that it is given, and which of its arguments
// says which one: 0, or -1 where each function stands beside its condition.
std::optional<int> ConditionOfBranches(std::string_view name);
bool ChoosesOne(std::string_view name);

// Returns the branch that is nearest to what one of them takes on average, all being as likely; the
// dearer one of two as near. Where an image was `decoded` before, one that decodes again is for the
// few that came out wrong.
const MapFunction& TypicalBranch(const std::vector<MapFunction>& branches, bool decoded);

}  // namespace tilewise::program
