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

}  // namespace tilewise
