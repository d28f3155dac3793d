// XLA recognises two forms: a sort of keys alone, and one that counts along,
// both from the largest down. What is left of the sort without its slices is
// dead. Source: xla/service/topk_rewriter.cc.

#include "frontend/hlo/first_of_sort.h"

#include <utility>
#include <vector>

namespace tilewise::hlo {

OpId FirstOfSort(Emitter& e, OpId x, const SliceDims& cut) {
  if (x == kNoOp || e.op(x).kind != OpKind::kSort) return kNoOp;
  const Op sort = e.op(x);
  const auto last = static_cast<size_t>(sort.shape.rank()) - 1;
  const bool is_along_last = sort.as<SortAttrs>().dims == std::vector{static_cast<int64_t>(last)};
  const bool counts = sort.operands.size() == 2 && e.op(sort.operands[1]).kind == OpKind::kIota &&
                      e.op(sort.operands[1]).as<DimsAttrs>().dims == sort.as<SortAttrs>().dims;
  if (!is_along_last || !sort.as<SortAttrs>().descending || (sort.operands.size() > 1 && !counts) ||
      cut.limits.size() != last + 1 || cut.starts.size() != last + 1) {
    return kNoOp;
  }
  for (size_t i = 0; i <= last; ++i) {
    const Dim dim = sort.shape.dims[i];
    const bool is_whole = dim.per_batch || cut.limits[i] == dim.factor;
    const bool is_plain = i >= cut.strides.size() || cut.strides[i] == 1;
    if (cut.starts[i] != 0 || !is_plain || is_whole == (i == last)) {
      return kNoOp;
    }
  }
  const TopKAttrs attrs{.k = cut.limits[last], .result = sort.as<SortAttrs>().result};
  return e.Convert(e.Add(OpKind::kTopK, {sort.operands[0]}, attrs), sort.shape.dtype);
}

}  // namespace tilewise::hlo
