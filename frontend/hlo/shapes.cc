// Dims, element counts and physical order of the shapes of a module.

#include "frontend/hlo/shapes.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tilewise::hlo {
namespace {

constexpr int64_t kMost = int64_t{1} << 62;

}  // namespace

std::vector<Dim> GraphDims(const HloShape& shape) {
  std::vector<Dim> dims;
  dims.reserve(shape.dims.size());
  for (const int64_t size : shape.dims) {
    dims.push_back(size < 0 ? BatchDim(-size) : Dim{size, false});
  }
  return dims;
}

Shape GraphShape(const HloShape& shape) { return {shape.dtype, GraphDims(shape)}; }

bool HasNoElements(const HloShape& shape) {
  return shape.kind == HloShape::Kind::kArray &&
         std::find(shape.dims.begin(), shape.dims.end(), 0) != shape.dims.end();
}

bool HoldsNothing(const HloShape& shape) {
  if (shape.kind == HloShape::Kind::kArray) return HasNoElements(shape);
  return std::all_of(shape.elements.begin(), shape.elements.end(), HoldsNothing);
}

int64_t CountElements(const HloShape& shape) {
  int64_t total = shape.kind == HloShape::Kind::kArray ? 1 : 0;
  for (const int64_t size : shape.dims) {
    if (size == 0) return 0;
    if (size > 0) total = total > kMost / size ? kMost : total * size;
  }
  for (const HloShape& element : shape.elements) {
    total = std::min(kMost, total + CountElements(element));
  }
  return total;
}

std::vector<int64_t> MajorToMinor(const HloShape& shape) {
  const size_t rank = shape.dims.size();
  std::vector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (!shape.layout || shape.layout->minor_to_major.size() != rank) {
    return order;
  }
  std::vector<int64_t> stated(shape.layout->minor_to_major.rbegin(),
                              shape.layout->minor_to_major.rend());
  return std::is_permutation(stated.begin(), stated.end(), order.begin()) ? stated : order;
}

std::vector<int64_t> InverseOf(const std::vector<int64_t>& permutation) {
  std::vector<int64_t> inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) {
    inverse[permutation[i]] = static_cast<int64_t>(i);
  }
  return inverse;
}

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
