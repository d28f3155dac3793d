// What a finding must be about to be said, whatever it costs: something that trains here and whose
// sizes are known.

#pragma once

#include "advice/finding.h"
#include "session/facts.h"

namespace tilewise {

// Whether it is about nothing that trains here, or about what is there to show or to test
// something, or rests on sizes that nobody knows.
bool IsOutOfPlace(const Facts& facts, const Finding& finding);

// Whether the program is one for GPUs as it is written and the finding is changed when it moves:
// what is chosen for GPUs, and what has no figure in a program of PyTorch.
bool WaitsForTpu(const Facts& facts, const Finding& finding);

}  // namespace tilewise
