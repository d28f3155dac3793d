// How much the function of a map stage does for each item, by what it calls.

#pragma once

#include "pipeline/pipeline.h"

namespace tilewise {

// Whether it only says what shapes its tensors have, which takes no time.
bool OnlySetsShapes(const MapFunction& function);

// Whether it is known to be a few operations, or to pick and name parts alone.
bool DoesLittle(const MapFunction& function);

}  // namespace tilewise
