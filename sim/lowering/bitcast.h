// Which reshapes and transposes move no byte (tpu-lowering 1.3).

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/op.h"
#include "sim/lowering/layout.h"

namespace tilewise {

// The dim order of a transpose's result over the same bytes as its operand in
// `operand_order`, and the reverse.
std::vector<int64_t> TransposedOrder(const Op& transpose,
                                     const std::vector<int64_t>& operand_order);
std::vector<int64_t> UntransposedOrder(const Op& transpose,
                                       const std::vector<int64_t>& result_order);

// A result order in which reshaping `from` (laid out in `order`) to `to` moves
// no byte, if there is one: equal tiled dims, or a merge or split of major
// dims, or one of the sublane dim at whole tiles.
std::optional<std::vector<int64_t>> ReshapedOrder(const Shape& from,
                                                  const std::vector<int64_t>& order,
                                                  const Shape& to, const Chip& chip);

// Whether `op` (reshape or transpose) between these layouts is free.
bool IsBitcast(const Op& op, const Shape& from, const Layout& from_layout, const Layout& to_layout);

}  // namespace tilewise
