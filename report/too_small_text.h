// What rules saw and is not worth a change, in words: a clause for each reason.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/too_small.h"

namespace tilewise {

// "hidden behind the input: PR001 f32-heavy at line 167 (351 us a step), AL005 mxu-underfill at
// lines 74 and 90 (66.4 us a step)": a clause names a rule once, and begins with the one that costs
// most. The name of `file` is left out. At most `most` rules are named, and a last clause says how
// many more there are; 0 names all.
std::vector<std::string> TooSmallInWords(std::span<const TooSmall> all, const std::string& file,
                                         size_t most = 0);

}  // namespace tilewise
