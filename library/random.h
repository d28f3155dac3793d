// Random numbers that layers draw, and dropout.

#pragma once

#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

// Numbers of `kind` in f32 and the dims of x; elements that differ only in
// `shared` dims have the same.
OpId RandomLike(GraphBuilder& builder, OpKind kind, OpId x,
                const std::vector<int64_t>& shared = {});

// `result` is x / (1 - rate) where a random number is at least `rate`, else 0;
// `kept` says where. `rate` is at least 0 and less than 1.
struct DroppedOut {
  OpId result = kNoOp;
  OpId kept = kNoOp;  // kPred
};
DroppedOut Dropout(GraphBuilder& builder, OpId x, double rate,
                   const std::vector<int64_t>& shared = {});

}  // namespace tilewise
