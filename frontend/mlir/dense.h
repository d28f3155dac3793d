// Elements of constants: dense<1.0>, dense<[[1, 2], [3, 4]]>, dense<"0x...">
// and single numbers, hexadecimal bits included.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/hlo/module.h"

namespace tilewise::mlir {

// A number as text; hexadecimal digits of a float are its bits. Also true and
// false. Nothing when it is none.
std::optional<double> NumberValue(std::string_view text, DType dtype);

// What is between the brackets of dense<...>. Values are kept up to
// Literal::kMaxValues of them; larger lists cost a look at their first bytes.
hlo::Literal DenseLiteral(std::string_view body, const hlo::HloShape& shape);

// The same for small integer constants, a splat written out; nothing when there
// are more than Literal::kMaxValues or it is no list of integers.
std::optional<std::vector<int64_t>> DenseIntegers(std::string_view body,
                                                  const hlo::HloShape& shape);

}  // namespace tilewise::mlir
