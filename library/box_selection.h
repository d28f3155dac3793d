// Non-maximum suppression as tf2xla writes it out for TPUs: boxes in the order
// of their scores, the overlap of every pair, then box by box those away that a
// chosen one overlaps.

#pragma once

#include <cstdint>
#include <functional>

#include "graph/graph_builder.h"

namespace tilewise {

struct SelectedBoxes {
  OpId indices = kNoOp;  // s32[sets, count], best first
  OpId scores = kNoOp;   // [sets, count]
  OpId valid = kNoOp;    // s32[sets]: how many were chosen
};

// `boxes` [sets, boxes, 4] with `scores` [sets, boxes]; all sets at once. How
// many iterations the loop makes is data: as many as there are boxes are taken.
// `outer` is where the ops stand that `builder` adds, `loop` a number that no
// loop of the graph has yet. `count` is at most the number of boxes.
SelectedBoxes SelectBoxes(GraphBuilder& builder, OpId boxes, OpId scores, int64_t count,
                          EnclosingLoop outer, int32_t loop);

}  // namespace tilewise
