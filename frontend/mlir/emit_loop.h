// Loops as XLA has them, for operations with regions and for blocks that jump
// back (lower_control.cc).

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "frontend/mlir/body.h"

namespace tilewise::mlir {

// Lowers into the condition or the body of a loop, given what it carries; sets
// the results.
using LoopFill = std::function<absl::Status(Body&, const std::vector<Index>&)>;

// The loop on `initial`: its carried parts when it is over. `outer`: values of
// `body` that it uses.
absl::StatusOr<std::vector<Index>> EmitLoop(Body& body, const Operation& op,
                                            std::vector<Index> initial,
                                            const std::vector<ValueId>& outer,
                                            const LoopFill& condition, const LoopFill& step);

// Appends what the operations of a block use, regions in them included.
void CollectUses(const Block& block, absl::flat_hash_set<ValueId>& seen,
                 std::vector<ValueId>& uses);

// Binds values to indices from number `from` on. Errors: there are fewer.
absl::Status BindAll(Body& body, const Operation& op, const std::vector<ValueId>& values,
                     const std::vector<Index>& indices, size_t from = 0);

}  // namespace tilewise::mlir
