// One composite op, and where its parts go.

#pragma once

#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

struct CompositeOp {
  GraphBuilder& b;
  const Op& op;
  std::vector<OpId> operands;  // in the new graph

  OpId InF32(size_t operand) const { return b.Convert(operands[operand], DType::kF32); }
  OpId Result(OpId x) const { return b.Convert(x, op.shape.dtype); }
};

}  // namespace tilewise
