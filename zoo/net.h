// A zoo model while it is built: the graph builder with the types and names
// that its layers share.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "graph/graph_builder.h"
#include "zoo/spec.h"

namespace tilewise {

class Net {
 public:
  // Takes `dtype` and `params` from the spec; without `params` the weights are
  // kept in `dtype`.
  explicit Net(const ZooSpec& spec);

  GraphBuilder builder;

  DType compute_type() const { return compute_type_; }
  // Integer weights are never trained.
  bool training() const { return training_; }
  // A copy: adding ops moves the builder's own.
  Shape shape(OpId x) const { return builder.shape(x); }
  int64_t last_dim(OpId x) const { return builder.shape(x).dims.back().factor; }

  // Ops added from now on belong to the layer of that name.
  void Layer(std::string_view name);

  // Inputs of one example, the batch dim put before `sizes`: of the compute
  // type, or s32 ids.
  OpId Input(std::string_view name, const std::vector<int64_t>& sizes);
  OpId Ids(std::string_view name, const std::vector<int64_t>& sizes);
  // An input of fixed shape in the compute type.
  OpId Operand(std::string_view name, const std::vector<int64_t>& sizes);

  // A weight of the current layer: as it is stored, in the compute type, in
  // f32 (for norms).
  OpId StoredWeight(std::string_view name, const std::vector<int64_t>& sizes,
                    bool trainable = true);
  OpId Weight(std::string_view name, const std::vector<int64_t>& sizes);
  OpId WideWeight(std::string_view name, const std::vector<int64_t>& sizes);
  // A moving average, f32 and never trained.
  OpId State(std::string_view name, const std::vector<int64_t>& sizes);

  // Small compositions.
  OpId Add(OpId x, OpId y) { return builder.Binary(OpKind::kAdd, x, y); }
  OpId Scale(OpId x, double factor);
  OpId Relu(OpId x);
  // x + a weight "bias" along the last dim.
  OpId AddBias(OpId x, std::string_view name = "bias");
  // x times a weight [features, units], with bias or without.
  OpId Dense(OpId x, int64_t units, bool bias,
             std::string_view name = "kernel");
  // Zeroes a share of x in training; x itself in inference.
  OpId Dropout(OpId x, double rate);

  absl::StatusOr<Graph> Finish(const std::vector<OpId>& results);

 private:
  DType compute_type_ = DType::kF32;
  DType weight_type_ = DType::kF32;
  bool training_ = true;
  Location location_;
};

}  // namespace tilewise
