// Attention as ops, written once for its decomposition and its gradient, so
// that both make the same ops and the later merging of equal ops finds them.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

// The operands of attention (op_kinds.def) with the query heads that share a
// key head as a dim of their own. Without such sharing that dim is absent.
struct AttentionOperands {
  OpId q = kNoOp;     // [N,queries,kv heads(,members),depth]
  OpId k = kNoOp;     // [N,keys,kv heads,depth]
  OpId v = kNoOp;     // [N,keys,kv heads,value depth]
  OpId mask = kNoOp;  // as the op has it
  bool is_grouped = false;
};

// Queries or keys of one block of the public TPU kernels (JAX, Pallas), at
// most; the last dim of what holds one number of a query in every lane.
inline constexpr int64_t kAttentionBlock = 512;
inline constexpr int64_t kStatisticLanes = 128;
// Whole registers.
int64_t AttentionKeyBlock(int64_t keys);

AttentionOperands GroupHeads(GraphBuilder& b, OpId q, OpId k, OpId v, OpId mask);

// Dims of scores and weights: [N,kv heads,queries(,members),keys].
// What each query may see, pred; kNoOp when that is everything.
OpId SeenKeys(GraphBuilder& b, const AttentionOperands& operands, const AttentionAttrs& attention);

// softmax(scale q k + mask) over the keys, in f32, back in the type of q.
OpId AttentionWeights(GraphBuilder& b, const AttentionOperands& operands,
                      const AttentionAttrs& attention);

// weights x v: [N,queries,heads,value depth].
OpId AttentionResult(GraphBuilder& b, const AttentionOperands& operands, OpId weights,
                     const AttentionAttrs& attention);

// Sums x, of the dims of the scores, to the dims of `mask`.
OpId ScoresToMask(GraphBuilder& b, OpId x, const AttentionOperands& operands, const Shape& mask);

// Matmuls with the scores' dims [N,kv heads,queries(,members),keys], for the
// gradients: `x` is the scores-shaped factor.
// x y, summed over keys: y [N,keys,kv heads,d] -> [N,queries,heads,d].
OpId SumOverKeys(GraphBuilder& b, OpId x, OpId y, bool is_grouped, int64_t precision_passes);
// x y, summed over queries (and members): y [N,queries,kv heads(,members),d]
// -> [N,keys,kv heads,d].
OpId SumOverQueries(GraphBuilder& b, OpId x, OpId y, bool is_grouped, int64_t precision_passes);
// y z, summed over d: y as q, z as k -> dims of the scores.
OpId SumOverDepth(GraphBuilder& b, OpId y, OpId z, bool is_grouped, int64_t precision_passes);

}  // namespace tilewise
