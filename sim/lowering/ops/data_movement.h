// What ops that move elements have in common. Moves along untiled dims are only
// addresses; along the tiled dims they rotate and mask registers, and a change
// of the lanes dim goes through the cross-lane unit (tpu-lowering 1.3, 5).

#pragma once

#include "sim/lowering/lowering_traits.h"

namespace tilewise {

// Whether `offset` along `dim` leaves rows and lanes where they are.
bool IsAligned(const Layout& layout, int64_t dim, int64_t offset);
// Whether any of `dims` is tiled, so that an unknown offset along it moves rows
// or lanes.
bool ShiftsAlong(const Layout& layout, const std::vector<int64_t>& dims);

// A move or a select under a mask for each register, which `shifts`.
OpWork ShiftWork(const OpContext& context, const Op& op, bool shifts);
// The same where the operand's registers are taken apart, too.
OpWork RearrangeWork(const OpContext& context, const Op& op, bool shifts);

// result[i] = outer[inner[i]].
std::vector<int64_t> ComposedDims(const std::vector<int64_t>& outer,
                                  const std::vector<int64_t>& inner);

// Returns whether a reshape or transpose moves no byte between the layouts.
bool IsBitcastOfOperand(const Program& program, const Op& op, const Chip& chip);
// Returns the work of those that move bytes.
OpWork UnlessBitcastWork(const OpContext& context, const Op& op);

}  // namespace tilewise
