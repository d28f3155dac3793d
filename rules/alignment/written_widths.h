// AL001 where there is no model: widths of layers that C++ sources write.

#pragma once

#include "rules/rule.h"

namespace tilewise {

// One finding for each class, or function, that makes layers.
void CheckWrittenWidths(const Facts& facts, Sink& sink);

}  // namespace tilewise
