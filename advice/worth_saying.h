// Which findings a default report keeps: those that are worth a change of the program. The others
// are named beside them, with what they cost and why that is too little.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "advice/finding.h"
#include "base/too_small.h"
#include "session/facts.h"

namespace tilewise {

// Leaves out what saves too little of the step that the user waits for; of what
// has no saving, what costs too little. Those that `asked` is true for stay.
// `findings` have their savings. `seen`: what rules themselves found too little.
// Returns all of it that is right and in its place.
std::vector<TooSmall> LeaveOutSmall(const Facts& facts,
                                    const std::function<bool(const Finding&)>& asked,
                                    std::vector<Finding>& findings,
                                    const std::vector<Finding>& seen = {});

// What its fix saves of a step as things are; zero where that is not known.
Seconds SavedBy(const Finding& finding);

// Why the input's own time saves nothing: "the input is 12x faster than the step".
std::string WhatHidesInput(const Facts& facts);

// Whether the program does not run because of it.
bool StopsTheRun(const Diagnostic& finding);

}  // namespace tilewise
