// Images that stay uint8 until they are on the device.

#pragma once

#include "rules/pipeline_change.h"
#include "rules/rule.h"

namespace tilewise {

// Makes it part of what the fix of `found` does that `image`, a float32 leaf
// behind `batch_dims` dims of batches, stays uint8 in stage `widens` of the
// pipeline and behind it: the model casts and scales its input. Nothing where
// another pipeline feeds the model.
void SendBytes(const Facts& facts, const Pipeline& pipeline, size_t widens,
               const Leaf& image, size_t batch_dims, Finding& found);

}  // namespace tilewise
