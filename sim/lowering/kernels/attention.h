// Traffic of a flash attention kernel.

#pragma once

#include "sim/lowering/kernels/op_work.h"

namespace tilewise {

// The operand that is added to the scores, where there is one.
size_t MaskOperand(const Op& attention);

// Bytes that are read beside each operand once: of keys and values because one
// head's do not stay in VMEM while its query blocks pass, of the mask by a
// second sweep, by the gradient with a bias whatever changes from one pair of
// blocks to the next. Negative where parts of an operand are skipped.
Bytes AttentionRereads(const OpContext& context, const Op& op);

// Bytes of results that the kernel writes though the program has no use for
// them; the buffer they are in is not counted.
Bytes AttentionUnusedResults(const OpContext& context, const Op& op);

// Pairs of blocks that a core passes over, with those that the causal mask
// hides: they cost a step, too. 0 for the kernel with a bias, whose published
// times on v4 leave no room for what steps cost beside units that take turns.
int64_t AttentionSteps(const OpContext& context, const Op& op);

}  // namespace tilewise
