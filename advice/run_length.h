// How long a program trains, as far as its text tells.

#pragma once

#include <cstdint>
#include <optional>

#include "session/facts.h"

namespace tilewise {

// The number of rounds of a loop, a context of the source, where its text tells it: range(N).
std::optional<int64_t> RoundsOf(const SourceFacts& source, int32_t loop);

// Whether the run goes over its data once.
bool PassesOnce(const Facts& facts);

}  // namespace tilewise
