// Known tensors whose elements are picked from, or put in another order than,
// those of others.

#include <algorithm>
#include <utility>

#include "library/known_index.h"
#include "library/known_value.h"

namespace tilewise {
namespace {

// The elements of x at `offsets`, as a tensor of `dims`.
KnownValue Picked(const KnownValue& x, std::vector<int64_t> dims,
                  const std::vector<int64_t>& offsets, int64_t base = 0) {
  KnownValue result{x.dtype, std::move(dims), {}};
  result.elements.reserve(offsets.size());
  for (const int64_t offset : offsets) {
    result.elements.push_back(x.elements[base + offset]);
  }
  return result;
}

// x[.., places[i], ..] along `axis`.
MaybeKnown PickedAlong(const KnownValue& x, size_t axis, const std::vector<int64_t>& places) {
  std::vector<int64_t> dims = x.dims;
  dims[axis] = static_cast<int64_t>(places.size());
  if (!KnownElements(dims)) return std::nullopt;
  const int64_t inner = RowMajorStrides(x.dims)[axis];
  std::vector<int64_t> strides = RowMajorStrides(x.dims);
  strides[axis] = 0;
  std::vector<int64_t> offsets = Offsets(dims, strides);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const auto at = (static_cast<int64_t>(i) / inner) % dims[axis];
    offsets[i] += places[at] * inner;
  }
  return Picked(x, std::move(dims), offsets);
}

}  // namespace

std::vector<int64_t> RowMajorStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

std::vector<int64_t> Offsets(const std::vector<int64_t>& dims,
                             const std::vector<int64_t>& strides) {
  std::vector<int64_t> offsets = {0};
  for (size_t d = 0; d < dims.size(); ++d) {
    std::vector<int64_t> longer;
    longer.reserve(offsets.size() * static_cast<size_t>(dims[d]));
    for (const int64_t offset : offsets) {
      for (int64_t i = 0; i < dims[d]; ++i) {
        longer.push_back(offset + i * strides[d]);
      }
    }
    offsets = std::move(longer);
  }
  return offsets;
}

MaybeKnown KnownSlice(const KnownValue& x, int64_t dim, int64_t start, int64_t limit,
                      int64_t stride) {
  const std::optional<size_t> axis = KnownAxis(dim, x.rank());
  if (!axis || stride == 0) return std::nullopt;
  const int64_t size = x.dims[*axis];
  // Backwards, the index before the first is a limit that can be meant.
  const int64_t lowest = stride > 0 ? 0 : -1;
  const int64_t highest = stride > 0 ? size : size - 1;
  const auto clamped = [&](int64_t place) {
    if (place < 0) place = std::max(place, -size - 1) + size;
    return std::clamp(place, std::min(lowest, highest), highest);
  };
  std::vector<int64_t> places;
  const int64_t end = clamped(limit);
  for (int64_t at = clamped(start); stride > 0 ? at < end : at > end;) {
    places.push_back(at);
    if (stride > size || stride < -size) break;
    at += stride;
  }
  return PickedAlong(x, *axis, places);
}

MaybeKnown KnownGather(const KnownValue& x, const KnownValue& indices, int64_t axis) {
  const std::optional<size_t> along = KnownAxis(axis, x.rank());
  std::optional<std::vector<int64_t>> places = KnownIntegers(indices);
  if (!along || !places) return std::nullopt;
  const int64_t size = x.dims[*along];
  for (int64_t& place : *places) {
    if (place < 0) place += size;
    if (place < 0 || place >= size) return std::nullopt;
  }
  MaybeKnown result = PickedAlong(x, *along, *places);
  if (!result) return std::nullopt;
  const auto at = result->dims.begin() + static_cast<std::ptrdiff_t>(*along);
  result->dims.insert(result->dims.erase(at), indices.dims.begin(), indices.dims.end());
  return result;
}

MaybeKnown KnownConcat(std::span<const KnownValue> xs, int64_t axis) {
  if (xs.empty()) return std::nullopt;
  const std::optional<size_t> along = KnownAxis(axis, xs[0].rank());
  if (!along) return std::nullopt;
  KnownValue result{xs[0].dtype, xs[0].dims, {}};
  int64_t total = 0;
  for (const KnownValue& x : xs) {
    if (x.rank() != xs[0].rank()) return std::nullopt;
    std::vector<int64_t> expected = xs[0].dims;
    expected[*along] = x.dims[*along];
    if (x.dims != expected) return std::nullopt;
    total += x.dims[*along];
  }
  result.dims[*along] = total;
  if (!KnownElements(result.dims)) return std::nullopt;
  int64_t outer = 1;
  for (size_t i = 0; i < *along; ++i) outer *= result.dims[i];
  for (int64_t row = 0; row < outer; ++row) {
    for (const KnownValue& x : xs) {
      const int64_t run = x.size() / std::max<int64_t>(outer, 1);
      const auto from = x.elements.begin() + row * run;
      result.elements.insert(result.elements.end(), from, from + run);
    }
  }
  return result;
}

MaybeKnown KnownReshape(const KnownValue& x, std::vector<int64_t> dims) {
  const auto open = std::find(dims.begin(), dims.end(), -1);
  if (open != dims.end()) {
    *open = 1;
    const std::optional<int64_t> rest = KnownElements(dims);
    if (!rest || *rest == 0 || x.size() % *rest != 0) return std::nullopt;
    *open = x.size() / *rest;
  }
  if (KnownElements(dims) != x.size()) return std::nullopt;
  return KnownValue{x.dtype, std::move(dims), x.elements};
}

MaybeKnown KnownUnsqueeze(const KnownValue& x, std::vector<int64_t> dims) {
  const int64_t rank = x.rank() + static_cast<int64_t>(dims.size());
  std::vector<bool> is_new(rank, false);
  for (const int64_t dim : dims) {
    const std::optional<size_t> axis = KnownAxis(dim, rank);
    if (!axis || is_new[*axis]) return std::nullopt;
    is_new[*axis] = true;
  }
  KnownValue result{x.dtype, {}, x.elements};
  size_t old = 0;
  for (const bool fresh : is_new) {
    result.dims.push_back(fresh ? 1 : x.dims[old++]);
  }
  return result;
}

MaybeKnown KnownTranspose(const KnownValue& x, const std::vector<int64_t>& permutation) {
  if (permutation.size() != x.dims.size()) return std::nullopt;
  const std::vector<int64_t> from = RowMajorStrides(x.dims);
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
  std::vector<bool> used(x.dims.size(), false);
  for (const int64_t dim : permutation) {
    const std::optional<size_t> axis = KnownAxis(dim, x.rank());
    if (!axis || used[*axis]) return std::nullopt;
    used[*axis] = true;
    dims.push_back(x.dims[*axis]);
    strides.push_back(from[*axis]);
  }
  const std::vector<int64_t> offsets = Offsets(dims, strides);
  return Picked(x, std::move(dims), offsets);
}

MaybeKnown KnownExpand(const KnownValue& x, const std::vector<int64_t>& dims) {
  if (x.dims == dims) return x;
  if (dims.size() < x.dims.size() || !KnownElements(dims)) return std::nullopt;
  const size_t lead = dims.size() - x.dims.size();
  std::vector<int64_t> strides(dims.size(), 0);
  const std::vector<int64_t> from = RowMajorStrides(x.dims);
  for (size_t i = 0; i < x.dims.size(); ++i) {
    if (x.dims[i] != dims[lead + i] && x.dims[i] != 1) return std::nullopt;
    if (x.dims[i] != 1) strides[lead + i] = from[i];
  }
  return Picked(x, dims, Offsets(dims, strides));
}

MaybeKnown KnownTile(const KnownValue& x, const std::vector<int64_t>& repeats) {
  if (repeats.size() != x.dims.size()) return std::nullopt;
  KnownValue result = x;
  for (size_t i = 0; i < repeats.size(); ++i) {
    if (repeats[i] < 0 || repeats[i] > kMaxKnownElements) return std::nullopt;
    std::vector<int64_t> places;
    places.reserve(std::min(repeats[i] * x.dims[i], kMaxKnownElements));
    if (repeats[i] * x.dims[i] > kMaxKnownElements) return std::nullopt;
    for (int64_t at = 0; at < repeats[i] * x.dims[i]; ++at) {
      places.push_back(at % x.dims[i]);
    }
    MaybeKnown longer = PickedAlong(result, i, places);
    if (!longer) return std::nullopt;
    result = *std::move(longer);
  }
  return result;
}

}  // namespace tilewise
