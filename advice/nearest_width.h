// Which width a layer should have instead of one that fills tiles badly.

#pragma once

#include <cstdint>
#include <optional>

#include "session/facts.h"

namespace tilewise {

// The multiple of `unit` that is nearest to `size`, the larger of two: the one
// that changes the model least. None when `size` is one already, or when it
// would have to be more than four times as large.
std::optional<int64_t> NearestWidth(int64_t size, int64_t unit);

// Whether the user named dim `dim` of `op`, of Facts::source, as one that
// cannot change, or one that would change with it.
bool IsHeld(const Facts& facts, OpId op, int64_t dim);

// The nearest width of dim `dim` of `op`, of Facts::source, as a change of the
// model. None when there is none, or when the dim is fixed: an input or a
// result of the model would change with it, or a dim that the user named as
// fixed, or it cannot be followed through the graph.
std::optional<NewWidth> FreeWidth(const Facts& facts, OpId op, int64_t dim, int64_t unit);

// What makes the dim of a lowered value that is padded most a multiple of the
// lanes or sublanes: another batch, unless none was named, or the nearest width
// where that is narrower: a wider layer is padded no more but computes more.
// Empty where the dim is fixed, or is not one of the model as written.
Change FillingTiles(const Facts& facts, OpId value);

}  // namespace tilewise
