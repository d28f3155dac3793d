// Dims of size 1, which tiles would be filled up for: values are made without
// them where that is free (XLA's rewriter of degenerate dims).

#pragma once

#include <cstdint>
#include <vector>

#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {

// Returns, for each dim of `from`, the one of `to` that it becomes, -1 for those of size 1 that are
// left out; empty when a reshape between them does more.
std::vector<int64_t> WithoutUnitDims(const std::vector<Dim>& from, const std::vector<Dim>& to);

// Whether a value is elementwise work on broadcasts and constants, or one of
// these: it can be made again without dims of size 1.
bool IsMadeOfBroadcasts(const Simplifier& s, OpId id);
// Makes such a value again, where its dims become those of `dims`.
OpId MadeWithoutUnitDims(Simplifier& s, OpId id, const std::vector<int64_t>& becomes,
                         const std::vector<Dim>& dims);

}  // namespace tilewise
