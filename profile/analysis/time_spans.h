// Sets of moments as intervals in order that do not touch.

#pragma once

#include <vector>

#include "profile/profile.h"

namespace tilewise {

struct TimeSpan {
  Picoseconds begin = 0, end = 0;
};
using TimeSpans = std::vector<TimeSpan>;

// Adds [begin, end) to intervals that begin no later; empty ones are left out.
void Append(Picoseconds begin, Picoseconds end, TimeSpans& set);
// Brings spans into order and without overlaps, whatever they were.
void Normalize(TimeSpans& set);
TimeSpans Both(const TimeSpans& a, const TimeSpans& b);
TimeSpans Without(const TimeSpans& a, const TimeSpans& b);
Picoseconds LengthOf(const TimeSpans& set);

}  // namespace tilewise
