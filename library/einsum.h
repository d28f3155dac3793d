// Einstein summation: "bij,bjk->bik".

#pragma once

#include <span>
#include <string_view>

#include "graph/graph_builder.h"

namespace tilewise {

// Operands are contracted from left to right, each pair as one dot; labels that
// only one operand has and the result has not are summed before. An ellipsis
// stands for dims that broadcast; a label twice in one operand takes the
// diagonal. Without "->" the result has the labels that occur once, sorted.
OpId Einsum(GraphBuilder& builder, std::string_view equation, std::span<const OpId> operands,
            int64_t precision_passes = 1);

}  // namespace tilewise
