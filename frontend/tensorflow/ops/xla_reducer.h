// What the function that an XLA op is given does to two numbers.

#pragma once

#include "frontend/tensorflow/ops/op_context.h"
#include "graph/op.h"

namespace tilewise::tf {

// By the first op in the function that joins two numbers; kOther: none does.
Reducer ReducerOf(const OpContext& ctx);

}  // namespace tilewise::tf
