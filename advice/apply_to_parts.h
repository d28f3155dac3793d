// What a program is when the products that read a rearranged tensor take it as
// it was.

#pragma once

#include "session/change.h"

namespace tilewise {

// A reshape that merges dims which all its users, dots, contract: they contract
// the dims as they are, with weights of as many. The change may not fit the
// graph, as where a user does something else.
Change ContractedApart(const Graph& graph, const Op& reshape);

// A concatenation along a dim that all its users, dots and convolutions,
// contract: each works on every part with its part of the weights, and the
// results are added. The change may not fit the graph either.
Change AppliedToParts(const Graph& graph, const Op& concatenation);

}  // namespace tilewise
