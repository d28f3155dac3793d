// A zoo model while it is built: the graph builder with the types and names
// that its layers share.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "graph/graph_builder.h"
#include "zoo/spec.h"

namespace tilewise {

class Net {
 public:
  // Takes `dtype` and `params` from the spec; without `params` the weights are
  // kept in `dtype`. The types fp8 and s8 stand for bf16 with quantised matmuls
  // in a model that may quantise.
  explicit Net(const ZooSpec& spec, bool may_quantise = false);

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
  // Ids of a fixed shape.
  OpId FixedIds(std::string_view name, const std::vector<int64_t>& sizes);
  // An input of fixed shape in the compute type.
  OpId Operand(std::string_view name, const std::vector<int64_t>& sizes);

  // A weight of the current layer: as it is stored, in the compute type, in
  // f32 (for norms).
  OpId StoredWeight(std::string_view name, const std::vector<int64_t>& sizes,
                    bool trainable = true);
  OpId Weight(std::string_view name, const std::vector<int64_t>& sizes);
  // Makes a weight of a layer and name that were there before be that weight
  // from now on, as in networks that use one layer again and again.
  void ShareWeights() { shares_weights_ = true; }
  OpId WideWeight(std::string_view name, const std::vector<int64_t>& sizes);
  // A moving average, f32 and never trained.
  OpId State(std::string_view name, const std::vector<int64_t>& sizes);

  // A matmul whose operands are quantised as it runs when the spec asks for
  // that, those of its gradients too. `blocks`: see DotAttrs.
  OpId Dot(OpId x, OpId y, DotDims dims, std::vector<int64_t> blocks = {});

  // These are small compositions.
  OpId Add(OpId x, OpId y) { return builder.Binary(OpKind::kAdd, x, y); }
  OpId Scale(OpId x, double factor);
  OpId Relu(OpId x);
  // x + a weight "bias" along the last dim.
  OpId AddBias(OpId x, std::string_view name = "bias");
  // x times a weight [features, units], with bias or without.
  OpId Dense(OpId x, int64_t units, bool bias, std::string_view name = "kernel");
  // Zeroes a share of x in training; x itself in inference.
  OpId Dropout(OpId x, double rate);

  // The new value of a variable that is not trained.
  void AlsoState(OpId value, OpId variable) { states_.emplace_back(value, variable); }
  absl::StatusOr<Graph> Finish(const std::vector<OpId>& results,
                               const std::vector<OpId>& tiles = {});

 private:
  DType quantized_ = DType::kF32;  // of matmuls; kF32: they are not
  DType compute_type_ = DType::kF32;
  DType weight_type_ = DType::kF32;
  bool training_ = true;
  bool shares_weights_ = false;
  Location location_;
  std::vector<std::pair<OpId, OpId>> states_;         // value, variable
  std::map<std::string, OpId, std::less<>> weights_;  // by layer and name
};

}  // namespace tilewise
