// Which findings a default report keeps: those that are worth a change of the
// program, each cause once.

#pragma once

#include <functional>
#include <vector>

#include "advice/finding.h"
#include "session/facts.h"

namespace tilewise {

// Findings that want another batch have one cause: the one that saves most
// stays and names the others in `related`. A batch that does not fit in the
// HBM is not advised, and none that is larger while the present one does not,
// or that leaves an epoch fewer than four steps.
// `findings` have their savings.
void KeepOneBatch(const Facts& facts, std::vector<Finding>& findings);

// Leaves out what saves too little of the step that the user waits for; of what
// has no saving, what costs too little. Those that `asked` is true for stay.
// `findings` have their savings. Returns what is right and has a figure, but too
// small a one.
std::vector<Finding> LeaveOutSmall(const Facts& facts,
                                   const std::function<bool(const Finding&)>& asked,
                                   std::vector<Finding>& findings);

// Whether the program does not run because of it.
bool StopsTheRun(const Diagnostic& finding);

}  // namespace tilewise
