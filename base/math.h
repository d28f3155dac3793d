// Integer arithmetic on sizes. Sizes are bounded on entry (kMaxElements), so
// products of a few of them are checked where they are formed and nowhere else.

#pragma once

#include <cstdint>
#include <optional>

namespace tilewise {

constexpr int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

constexpr int64_t RoundUp(int64_t a, int64_t multiple) { return CeilDiv(a, multiple) * multiple; }

// a * b, or nothing when it does not fit; both must be non-negative.
constexpr std::optional<int64_t> CheckedMul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// Largest element count of one tensor that is accepted from any input. Padding
// multiplies by at most 1,024 and an element has at most 16 bytes, so all byte
// counts derived from it fit int64_t.
inline constexpr int64_t kMaxElements = int64_t{1} << 45;

}  // namespace tilewise
