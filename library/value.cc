// Makes values.

#include "library/value.h"

#include <algorithm>

namespace tilewise {

Value Value::Of(OpId op) {
  Value value;
  if (op == kNoOp) return value;
  value.kind = Kind::kOp;
  value.op = op;
  return value;
}

Value Value::Of(KnownValue known) {
  Value value;
  value.kind = Kind::kKnown;
  value.held_ = std::make_shared<const KnownValue>(std::move(known));
  return value;
}

Value Value::Of(TensorList list) {
  Value value;
  value.kind = Kind::kList;
  value.held_ = std::make_shared<const TensorList>(std::move(list));
  return value;
}

Value Value::Of(std::vector<Value> items) {
  Value value;
  value.kind = Kind::kSequence;
  value.held_ = std::make_shared<const std::vector<Value>>(std::move(items));
  return value;
}

Value Value::OfVariable(int32_t index) {
  Value value;
  value.kind = Kind::kVariable;
  value.variable = index;
  return value;
}

Value Value::Host(std::optional<Shape> shape) {
  Value value;
  value.kind = Kind::kHost;
  if (shape) value.held_ = std::make_shared<const Shape>(*std::move(shape));
  return value;
}

Value Value::Empty(Shape shape) {
  if (HasNoElements(shape) && shape.is_static()) {
    return Of(KnownValue{shape.dtype, shape.sizes(), {}});
  }
  Value value;
  value.kind = Kind::kEmpty;
  value.held_ = std::make_shared<const Shape>(std::move(shape));
  return value;
}

std::optional<Shape> ShapeOf(const GraphBuilder& builder, const Value& value) {
  if (value.kind == Value::Kind::kOp) return builder.shape(value.op);
  if (value.known()) return Shape::Of(value.known()->dtype, value.known()->dims);
  return value.stated() ? std::optional(*value.stated()) : std::nullopt;
}

bool HasNoElements(const Shape& shape) {
  return std::any_of(shape.dims.begin(), shape.dims.end(),
                     [](const Dim& dim) { return dim.factor == 0; });
}

}  // namespace tilewise
