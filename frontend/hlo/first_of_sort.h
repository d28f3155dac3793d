// The first elements of a sort are a TopK.

#pragma once

#include "frontend/hlo/emitter.h"
#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// The TopK that a slice `cut` of x is; kNoOp when it is none.
OpId FirstOfSort(Emitter& e, OpId x, const SliceDims& cut);

}  // namespace tilewise::hlo
