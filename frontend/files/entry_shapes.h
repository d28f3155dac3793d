// Shapes of a module's parameters from the first line of its text.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewise {

// Of "HloModule jit_f, entry_computation_layout={(f32[8]{0},
// s32[])->f32[8]{0}}" the shapes "f32[8]" and "s32[]", without layouts. Empty
// when the line does not say. Only the first line of `text` is looked at.
std::vector<std::string> EntryShapes(std::string_view text);

}  // namespace tilewise
