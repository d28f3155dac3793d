// Integers that shapes are computed of: the elements of small integer tensors
// where they follow from constants and from the sizes of dims.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frontend/hlo/module.h"
#include "library/known_value.h"

namespace tilewise::mlir {

using SizeValues = std::vector<KnownNumber>;  // in row-major order

// Returns a number as HloShape has dims here: -k is k times the batch. Returns
// nothing for what has no such form.
std::optional<int64_t> AsDim(const KnownNumber& value);
KnownNumber FromDim(int64_t dim);

// Whether it may be worth it: a small integer tensor.
bool MayEvaluate(const hlo::Instruction& instruction);

// The elements of the result of `instruction`; `operands` has null for operands
// that are not known, `shapes` those of all operands. Where two sizes are
// compared, the batch counts as large.
std::optional<SizeValues> Evaluate(const hlo::Instruction& instruction,
                                   std::span<const SizeValues* const> operands,
                                   std::span<const hlo::HloShape* const> shapes);

}  // namespace tilewise::mlir
