// Makes values.

#include "frontend/tensorflow/ops/value.h"

#include <utility>

namespace tilewise::tf {

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

Value Value::Resource(int32_t index) {
  Value value;
  value.kind = Kind::kResource;
  value.resource = index;
  return value;
}

Value Value::Host(std::optional<std::vector<Dim>> dims) {
  Value value;
  value.kind = Kind::kHost;
  if (dims) {
    value.held_ = std::make_shared<const std::vector<Dim>>(std::move(*dims));
  }
  return value;
}

}  // namespace tilewise::tf
