// Random numbers: the graph's generators, scaled as the instruction asks.

#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"
#include "library/broadcast.h"

namespace tilewise::hlo {
namespace {

bool IsNormal(std::string_view distribution) {
  return distribution.find("normal") != std::string_view::npos ||
         distribution.find("NORMAL") != std::string_view::npos;
}

bool IsConstant(const GraphBuilder& e, OpId id, double value) {
  return ConstantValue(e, id) == value;
}

OpId Scaled(GraphBuilder& e, OpId x, OpId factor, OpId offset) {
  if (!IsConstant(e, factor, 1)) x = BinaryOf(e, OpKind::kMultiply, x, factor);
  return IsConstant(e, offset, 0) ? x : BinaryOf(e, OpKind::kAdd, x, offset);
}

}  // namespace

Value TranslateRng(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const Shape shape = GraphShape(site.shape);
  if (site.operands.size() < 2) return e.Add(OpKind::kRngBits, {}, {}, shape);
  const bool normal = IsNormal(site.more().distribution);
  const DType dtype = IsFloat(shape.dtype) ? shape.dtype : DType::kF32;
  const OpId drawn =
      e.Add(normal ? OpKind::kRngNormal : OpKind::kRngUniform, {}, {}, shape.WithType(dtype));
  const OpId first = e.Convert(site.operand(0), dtype);
  const OpId second = e.Convert(site.operand(1), dtype);
  if (normal) return e.Convert(Scaled(e, drawn, second, first), shape.dtype);
  // The numbers lie between `first` and `second`.
  const OpId width =
      IsConstant(e, first, 0) ? second : BinaryOf(e, OpKind::kSubtract, second, first);
  return e.Convert(Scaled(e, drawn, width, first), shape.dtype);
}

// The new state costs nothing on top of the numbers.
Value TranslateRngBitGenerator(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  if (site.shape.elements.size() < 2) {
    return e.Add(OpKind::kRngBits, {}, {}, GraphShape(site.shape));
  }
  const HloShape& wanted = site.shape.elements[1];
  Value bits;
  if (!HasNoElements(wanted)) {
    bits = e.Add(OpKind::kRngBits, {}, {}, GraphShape(wanted));
  }
  std::vector<Value> results = {site.operand(0), bits};
  return Value::Tuple(std::move(results));
}

}  // namespace tilewise::hlo
