// Constants are looked for through nodes that hand on what they are given.

#include "frontend/tensorflow/dataset_operands.h"

#include "frontend/tensorflow/dataset_ops.h"
#include "frontend/tensorflow/trip_count.h"

namespace tilewise::tf {

std::optional<Edge> DatasetOperands::At(int32_t node, int place) const {
  const auto count = static_cast<int>(index_.inputs(node).size());
  if (place == kNoOperand) return std::nullopt;
  if (place < 0) place += count;
  if (place < 0 || place >= count) return std::nullopt;
  return index_.inputs(node)[place];
}

std::optional<TensorValue> DatasetOperands::Constant(const Edge& edge) const {
  const Edge from = ThroughIdentities(index_, edge);
  if (from.node < 0 || index_.IsArgument(from.node)) return std::nullopt;
  const NodeDef& node = index_.node(from.node);
  if (node.op != "Const") return std::nullopt;
  return AttrTensor(node.attrs, "value");
}

std::optional<int64_t> DatasetOperands::Integer(std::optional<Edge> edge) const {
  if (!edge) return std::nullopt;
  const auto tensor = Constant(*edge);
  if (!tensor || !tensor->known) return std::nullopt;
  return KnownInteger(*tensor->known);
}

Count DatasetOperands::CountAt(int32_t node, int place) const {
  const std::optional<Edge> edge = At(node, place);
  if (!edge) return {};
  const std::optional<int64_t> value = Integer(edge);
  if (!value) return {Count::Kind::kUnresolved, 0};
  return {Count::Kind::kValue, *value};
}

}  // namespace tilewise::tf
