// What a search found, drawn and as code.

#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace tilewise {

// Returns some evenly spaced trials of a long curve, with the best, the gamble
// and the present batch.
std::vector<const Trial*> ShownTrials(const Tuning& tuning);
// Shows some of a list of `count` that fit a screen, evenly, with both ends.
bool IsShown(size_t at, size_t count);

// Examples per second by batch, as bars of text.
std::string TextCurve(const Tuning& tuning, int width);

// The best setting in the words of the program's framework; empty where nothing
// was found.
std::string CodeToPaste(const Report& report);

}  // namespace tilewise
