// How long a program trains, and what is little in that.

#pragma once

#include <cstdint>
#include <optional>

#include "session/facts.h"

namespace tilewise {

// The number of rounds of a loop, a context of the source, where its text tells it: range(N).
std::optional<int64_t> RoundsOf(const SourceFacts& source, int32_t loop);

// All steps of the run, where the files tell their number.
std::optional<int64_t> StepsOfRun(const Facts& facts);

// Whether the run is too short to look at: its model has a few thousand weights, as a straight line
// through points has, or a CPU ends it in a minute.
bool IsToyRun(const Facts& facts);

// Whether a time of each step is little in the whole run. A run whose length is not known counts as
// a usual one.
bool IsLittleOfRun(const Facts& facts, Seconds per_step);

// Whether the run goes over its data once.
bool PassesOnce(const Facts& facts);

// Whether the files do not say how long a program trains that calls fit().
bool IsOfUnknownLength(const Facts& facts);

// Whether all of the run is little, or some steps, in a program that names no TPU: what it loses is
// no more.
bool IsLittleAtMost(const Facts& facts);

}  // namespace tilewise
