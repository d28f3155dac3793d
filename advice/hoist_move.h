// What a program is when a tensor is made in the form that it is used in,
// instead of being moved into it afterwards.

#pragma once

#include <cstdint>
#include <vector>

#include "session/change.h"

namespace tilewise {

// Moves as HoistMove() takes them: to dims of as many elements; to a part of
// one dim, the others whole.
Op ReshapeMove(std::vector<Dim> dims);
Op SliceMove(const Shape& shape, int64_t dim, int64_t start, int64_t limit, int64_t stride = 1);

// Returns, in a Replacement, what `move`, a transpose, reshape or slice, makes
// of `value`, made so from the start. The ops that `value` comes from are made
// once more: elementwise ones, up to what takes the move over for free. That is
// an input, which is fed so (not of a slice), a constant, or a dot or
// convolution whose weights are kept in parts or in another shape. kNoOp where
// something else is on the way.
OpId HoistMove(GraphBuilder& builder, const Op& move, OpId value);

// `move` hoisted, as a change that may not fit its graph.
Change HoistedMove(const Op& move);

// A reshape that merges dims which all its users, dots, contract: they contract
// the dims as they are, with weights of as many. The change may not fit the
// graph, as where a user does something else.
Change ContractedApart(const Graph& graph, const Op& reshape);

// A concatenation along a dim that all its users, dots and convolutions,
// contract: each works on every part with its part of the weights, and the
// results are added. The change may not fit the graph either.
Change AppliedToParts(const Graph& graph, const Op& concatenation);

}  // namespace tilewise
