// What a script says about the memory of its jitted functions: state that is
// not donated, arrays that are closed over.

#pragma once

#include "rules/rule.h"

namespace tilewise {

// Reports steps of a training loop, compiled by JAX, that get their state back
// under the name it was given by and do not donate it.
void ReportUndonatedState(const Facts& facts, Sink& sink);

// Reports arrays of at least `least` whose size the text tells, made outside a
// jitted function and read inside.
void ReportClosures(const Facts& facts, Bytes least, Sink& sink);

}  // namespace tilewise
