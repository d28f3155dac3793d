// The result shape of an op from its operands' shapes, and every check that
// makes the op meaningful.

#pragma once

#include <span>

#include "base/status.h"
#include "graph/op.h"

namespace tilewise {

// `op` has kind, attributes, and in `shape` what the operands do not tell: all
// of it for leaves, random numbers, reshape, broadcast, scatter-add,
// convolution gradients and opaque ops; the type for convert. Ids are not
// looked at. Errors: invalid argument, found and expected, without a location.
absl::StatusOr<Shape> InferShape(const Op& op, std::span<const Shape* const> operands,
                                 int64_t least_size = 1);

}  // namespace tilewise
