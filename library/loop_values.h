// What the ops of a loop's body read and write on each iteration. The builder
// stands where the loop does, unless said otherwise, and does so afterwards.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

// The number of the iteration, s32[], in loop `inside`.
OpId LoopCounter(GraphBuilder& builder, EnclosingLoop inside);
// One iteration's part of `whole` along `axis`, without that dim. The builder
// stands in the loop.
OpId RowAt(GraphBuilder& builder, OpId whole, int64_t axis, OpId counter);
// What `trips` iterations of loop `inside` make of `row`, along a new dim
// `axis`: a buffer that each writes its row into, as XLA does.
OpId StackedRows(GraphBuilder& builder, OpId row, int64_t axis, int64_t trips, OpId counter,
                 EnclosingLoop inside);

}  // namespace tilewise
