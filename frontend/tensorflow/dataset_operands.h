// The operands of tf.data nodes that are constants of the graph.

#pragma once

#include <cstdint>
#include <optional>

#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/graph_index.h"
#include "pipeline/pipeline.h"

namespace tilewise::tf {

class DatasetOperands {
 public:
  explicit DatasetOperands(const GraphIndex& index) : index_(index) {}

  // A negative index counts from the end; nothing for one that the node has
  // not.
  std::optional<Edge> At(int32_t node, int place) const;
  std::optional<TensorValue> Constant(const Edge& edge) const;
  std::optional<int64_t> Integer(std::optional<Edge> edge) const;
  Count CountAt(int32_t node, int place) const;

 private:
  const GraphIndex& index_;
};

}  // namespace tilewise::tf
