// Indices in known tensors: how many elements dims make, which dim an axis
// names, and the walk over all elements of a tensor of some dims.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewise {

// Product of `dims`; nullopt when one is negative or there are more than
// kMaxKnownElements.
std::optional<int64_t> KnownElements(const std::vector<int64_t>& dims);

// `axis`, which counts from the end when negative; nullopt when there is none.
std::optional<size_t> KnownAxis(int64_t axis, int64_t rank);

// Row-major strides of `dims`.
std::vector<int64_t> RowMajorStrides(const std::vector<int64_t>& dims);

// Row-major offset into a tensor with `strides` (0 where it is stretched) for
// each element of a tensor of `dims`, in row-major order. `dims` have at most
// kMaxKnownElements elements.
std::vector<int64_t> Offsets(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides);

}  // namespace tilewise
