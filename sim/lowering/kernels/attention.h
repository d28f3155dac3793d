// Blocks of a flash attention kernel.

#pragma once

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {

// The kernel goes over blocks of queries x blocks of keys, and skips blocks
// that the causal mask hides.
struct AttentionBlocks {
  int64_t query_rows = 0;  // of one block
  int64_t key_rows = 0;
  int64_t query_blocks = 0;
  int64_t visible = 0;  // pairs of blocks that are computed
};
AttentionBlocks BlocksOf(int64_t queries, int64_t keys, bool causal,
                         const Chip& chip);

// The operand that is added to the scores, where there is one.
size_t MaskOperand(const Op& attention);

// Bytes that are read beside each operand once: of keys and values because one
// head's do not stay in VMEM while its query blocks pass, of the mask by a
// second sweep. Negative where blocks of the mask are skipped.
Bytes AttentionRereads(const OpContext& context, const Op& op);

}  // namespace tilewise
