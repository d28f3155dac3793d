// Gathers and scatters of slices, one element of the slices at a time. Starts
// of a gather are moved so that the slice lies within the operand; elements of
// a scatter that lie outside are left out.

#include <algorithm>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

bool Has(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// An element of the slices (a gather's result, a scatter's updates), and where
// it is in the operand.
class Places {
 public:
  // `slice` has the sizes by operand dim, for clamping; empty: none.
  Places(const GatherDims& gather, const Tensor& operand, const Tensor& indices, Index slice)
      : gather_(gather), operand_(operand), indices_(indices), slice_(std::move(slice)) {}

  Index Of(const Index& element) const {
    Index place;   // of the indices, without the index dim
    Index offset;  // in the slice, of the dims that are kept
    for (int64_t dim = 0; dim < static_cast<int64_t>(element.size()); ++dim) {
      (Has(gather_.offset_dims, dim) ? offset : place).push_back(element[dim]);
    }
    Index at = Starts(place);
    size_t next = 0;
    for (size_t dim = 0; dim < at.size(); ++dim) {
      const auto d = static_cast<int64_t>(dim);
      if (Has(gather_.collapsed_dims, d) || Has(gather_.operand_batch, d)) {
        continue;
      }
      at[dim] += offset[next++];
    }
    return at;
  }

  bool Inside(const Index& at) const {
    for (size_t dim = 0; dim < at.size(); ++dim) {
      if (at[dim] < 0 || at[dim] >= operand_.sizes[dim]) return false;
    }
    return true;
  }

 private:
  Index Starts(const Index& place) const {
    const size_t index_dim = gather_.index_dim;
    Index with_component = place;
    const bool has_dim = index_dim < indices_.sizes.size();
    if (has_dim) {
      with_component.insert(with_component.begin() + static_cast<ptrdiff_t>(index_dim), 0);
    }
    Index starts(operand_.sizes.size(), 0);
    for (size_t i = 0; i < gather_.operand_batch.size(); ++i) {
      starts[gather_.operand_batch[i]] = with_component[gather_.indices_batch[i]];
    }
    for (size_t i = 0; i < gather_.start_dims.size(); ++i) {
      if (has_dim) with_component[index_dim] = static_cast<int64_t>(i);
      const size_t dim = gather_.start_dims[i];
      starts[dim] = static_cast<int64_t>(indices_[with_component]);
      if (slice_.empty()) continue;
      starts[dim] = std::clamp<int64_t>(starts[dim], 0, operand_.sizes[dim] - slice_[dim]);
    }
    return starts;
  }

  const GatherDims& gather_;
  const Tensor& operand_;
  const Tensor& indices_;
  const Index slice_;
};

}  // namespace

void EvaluateSlices(const Op& op, Operands in, Tensor& out) {
  const GatherDims& gather = op.as<SlicesAttrs>();
  if (op.kind == OpKind::kGatherSlices) {
    const Places places(gather, *in[0], *in[1], gather.slice_sizes);
    ForEachIndex(out.sizes, [&](const Index& index) { out[index] = (*in[0])[places.Of(index)]; });
    return;
  }
  TW_CHECK(op.kind == OpKind::kScatterSlices);
  const Places places(gather, *in[0], *in[1], {});
  out.data = in[0]->data;
  ForEachIndex(in[2]->sizes, [&](const Index& index) {
    const Index at = places.Of(index);
    if (!places.Inside(at)) return;
    const double update = (*in[2])[index];
    out[at] = op.as<SlicesAttrs>().assign ? update
                                          : Reduced(op.as<SlicesAttrs>().reducer, out[at], update);
  });
}

}  // namespace tilewise::reference
