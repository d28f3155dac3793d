// Images that take fewer bytes on their way to the device.

#pragma once

#include "advice/pipeline_change.h"
#include "rules/rule.h"

namespace tilewise {

// Makes it part of what the fix of `found` does that `image`, a float32 leaf
// behind `batch_dims` dims of batches, stays uint8 in stage `widens` of the
// pipeline and behind it: the model casts and scales its input. Nothing where
// another pipeline feeds the model.
void SendBytes(const Facts& facts, const Pipeline& pipeline, size_t widens, const Leaf& image,
               size_t batch_dims, Finding& found);

// The same of images that the model's layer at `layer` makes smaller: a map of
// the pipeline, before batch, leaves `kept` of them, and an item has `less`
// bytes less.
void SendSmall(const Facts& facts, const Pipeline& pipeline, const Location& layer, double kept,
               Bytes less, Finding& found);

}  // namespace tilewise
