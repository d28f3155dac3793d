// What ops compute from numbers that are known: how the arithmetic of shapes
// that a model writes out in ops stays known.

#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "library/known_value.h"

namespace tilewise {

// An op whose numbers are known.
using KnownOp = std::pair<OpId, const KnownValue*>;

// The values of `results`, when they follow from the known ops and from the ops
// that were made since the builder had `first` of them; nullopt when one of
// them does not.
std::optional<std::vector<KnownValue>> FoldedResults(const GraphBuilder& builder, OpId first,
                                                     std::span<const KnownOp> known,
                                                     std::span<const OpId> results);

}  // namespace tilewise
