// Sorts and the largest elements.

#include <utility>

#include "frontend/hlo/ops.h"
#include "frontend/hlo/reducer.h"

namespace tilewise::hlo {

// The graph's sort has the keys first, and is stable.
Value TranslateSort(Translation& t, const Site& site) {
  Emitter& e = t.emit();
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

// Also what stands for it among the custom calls. The smallest are the largest
// of the negated.
Value TranslateTopK(Translation& t, const Site& site) {
  Emitter& e = t.emit();
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

}  // namespace tilewise::hlo
