// Counts elements without overflow.

#include "frontend/hlo/array_size.h"

#include <algorithm>
#include <limits>

namespace tilewise::hlo {

int64_t ElementsOf(const HloShape& shape) {
  if (shape.kind != HloShape::Kind::kArray) return 0;
  int64_t elements = 1;
  for (const int64_t dim : shape.dims) {
    if (dim < 0 || __builtin_mul_overflow(elements, dim, &elements)) return 0;
  }
  return elements;
}

bool IsTooLarge(const HloShape& shape) {
  const auto& dims = shape.dims;
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return false;
  int64_t elements = 1;
  for (const int64_t dim : dims) {
    if (dim > 0 && __builtin_mul_overflow(elements, dim, &elements)) return true;
  }
  return elements > std::numeric_limits<int64_t>::max() / 16;
}

bool IsPlain(const HloLayout& layout) {
  return layout.minor_to_major.empty() && layout.tiles.empty() && layout.memory_space == 0 &&
         layout.element_bits == 0;
}

}  // namespace tilewise::hlo
