// What would fill the tiles that a tensor of the lowered step is padded to.

#pragma once

#include "session/facts.h"

namespace tilewise {

// What makes the dim of a lowered value that is padded most a multiple of the
// lanes or sublanes: another batch, unless none was named, or the nearest width
// where that is narrower: a wider layer is padded no more but computes more.
// Empty where the dim is fixed, or is not one of the model as written.
Change FillingTiles(const Facts& facts, OpId value);

}  // namespace tilewise
