// A Keras model as layer calls, whatever file it came from: model JSON or
// folded Python source. Both readers make this; BuildKerasGraph costs it.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/diagnostic.h"
#include "base/location.h"
#include "base/status.h"
#include "graph/graph.h"
#include "workload/module_facts.h"

namespace tilewise {

// One result of one call of a layer.
struct KerasTensor {
  int32_t layer = -1;  // index in KerasModel::layers
  int32_t call = 0;    // which call of that layer (shared layers have several)
  int32_t output = 0;  // of a layer or nested model with several results
  bool operator==(const KerasTensor&) const = default;
};

// One call of a layer: its operands in order, and keyword arguments that are
// not tensors.
struct KerasCall {
  std::vector<KerasTensor> inputs;
  nlohmann::json kwargs;
  Location location;
};

struct KerasModel;

struct KerasLayer {
  std::string class_name;  // Keras 2 names; readers translate older ones
                           // ("Convolution2D")
  std::string name;
  nlohmann::json config;  // Keras 2 keys: filters, kernel_size, strides, padding...
  Location location;      // item = layer name
  std::vector<KerasCall> calls;
  // Shapes that the file states for results, by call, then by output.
  std::map<int32_t, std::map<int32_t, nlohmann::json>> stated;
  std::shared_ptr<KerasModel> nested;  // Sequential/Functional used as a layer
};

struct KerasModel {
  std::string name;
  std::vector<KerasLayer> layers;  // InputLayer included
  std::vector<KerasTensor> inputs, outputs;
};

struct KerasGraph {
  Graph graph;                            // forward; batch symbolic
  int64_t layers = 0;                     // all, nested ones counted
  std::map<std::string, int64_t> opaque;  // class -> how many were not costed
  std::vector<Diagnostic> notes;          // RD001 per unknown layer
  std::vector<UnknownDim> unknown_dims;   // of the inputs
};

// Errors: cyclic layers, dangling inputs, wrong operand ranks, sizes that are
// not positive: each with the layer's location. `training`: dropout and batch
// normalisation act as in training.
absl::StatusOr<KerasGraph> BuildKerasGraph(const KerasModel& model, bool training);

}  // namespace tilewise
