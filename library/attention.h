// Attention of layers: heads set apart and joined, and attention written out
// where the graph's own op does not say what a framework computes.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

// [n, tokens, heads x depth] -> [n, tokens, heads, depth]; fails when the
// features are not such heads.
OpId SplitHeads(GraphBuilder& builder, OpId x, int64_t heads);
// [n, tokens, heads, depth] -> [n, tokens, heads x depth].
OpId JoinHeads(GraphBuilder& builder, OpId x);

// Scores [.., queries, keys] of keys that come after their query set to a large
// negative number.
OpId MaskFuture(GraphBuilder& builder, OpId scores);

// The form of Keras and flax with a dropout of the weights: queries are scaled
// before their matmul with the keys, not the scores after it, as kAttention
// does. q [n, queries, heads, depth], k and v [n, keys, heads, depth]; the
// weights are of the softmax in the type of q, or in f32 when `wide`, and back.
struct ScaledQueries {
  bool causal = false;
  bool wide = false;
  double dropout = 0;  // in training
};
struct Attended {
  OpId result = kNoOp;   // [n, queries, heads, depth]
  OpId weights = kNoOp;  // [n, heads, queries, keys]
};
Attended AttendScaledQueries(GraphBuilder& builder, OpId q, OpId k, OpId v,
                             const ScaledQueries& options);

}  // namespace tilewise
