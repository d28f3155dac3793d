// Which line of a model file names a layer. The JSON parser keeps no
// positions, so the text is searched for "name": "conv1".

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tilewise {

// Line of the first "name" member with each value; empty when the whole text
// is one line, which would say nothing.
std::map<std::string, int32_t, std::less<>> FindNameLines(std::string_view text);

}  // namespace tilewise
