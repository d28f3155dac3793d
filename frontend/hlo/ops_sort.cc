// Sorts and the largest elements.

#include <utility>

#include "frontend/hlo/ops.h"
#include "frontend/hlo/reducer.h"

namespace tilewise::hlo {

// The graph's sort has the keys first, and is stable.
Value TranslateSort(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const size_t count = site.operands.size();
  if (count == 0) return {};
  SortOrder order;
  if (!site.instruction.called.empty()) {
    order = OrderOf(t.module(), *t.Callee(site, 0), count);
  }
  std::vector<OpId> operands = site.arrays();
  if (operands.size() != count || order.key >= count) {
    e.Fail("found an operand without elements, expected arrays to sort");
    return {};
  }
  SortAttrs attrs;
  attrs.dims = {site.instruction.index};
  if (!site.instruction.dims.empty()) attrs.dims = {site.instruction.dims[0]};
  attrs.descending = order.descending;
  std::swap(operands[0], operands[order.key]);
  std::vector<Value> results;
  results.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    size_t place = i;
    if (i == 0) place = order.key;
    if (i == order.key) place = 0;
    attrs.result = static_cast<int64_t>(place);
    results.emplace_back(e.Add(OpKind::kSort, operands, attrs));
  }
  if (site.shape.kind == HloShape::Kind::kArray) return results[0];
  return Value::Tuple(std::move(results));
}

// Translates also the custom calls that stand for a top-k. The smallest are the
// largest of the negated.
Value TranslateTopK(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const bool two = site.shape.kind == HloShape::Kind::kTuple && site.shape.elements.size() >= 2;
  const HloShape& values = two ? site.shape.elements[0] : site.shape;
  TopKAttrs attrs;
  attrs.k = site.more().k;
  if (attrs.k == 0 && !values.dims.empty()) attrs.k = values.dims.back();
  OpId x = site.operand(0);
  if (!site.more().largest) x = e.Unary(OpKind::kNegate, x);
  OpId largest = e.Add(OpKind::kTopK, {x}, attrs);
  if (!site.more().largest) largest = e.Unary(OpKind::kNegate, largest);
  if (!two) return largest;
  attrs.result = 1;
  const OpId places = e.Add(OpKind::kTopK, {x}, attrs);
  std::vector<Value> results = {largest, e.Convert(places, site.shape.elements[1].dtype)};
  return Value::Tuple(std::move(results));
}

// XLA recognises two forms: a sort of keys alone, and one that counts along,
// both from the largest down. What is left of the sort without its slices is
// dead. Source: xla/service/topk_rewriter.cc.
OpId FirstOfSort(GraphBuilder& e, OpId x, const SliceDims& cut) {
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
  TopKAttrs attrs;
  attrs.k = cut.limits[last];
  attrs.result = sort.as<SortAttrs>().result;
  return e.Convert(e.Add(OpKind::kTopK, {sort.operands[0]}, std::move(attrs)), sort.shape.dtype);
}

}  // namespace tilewise::hlo
