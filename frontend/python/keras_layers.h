// Keras layers and tensors under construction. All layers of a script live in
// one list; a model is cut out of it by tracing back from its outputs.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/keras/keras_model.h"
#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

class LayerBuild {
 public:
  int32_t AddLayer(std::string class_name, nlohmann::json config, Location location);
  KerasTensor AddCall(int32_t layer, std::vector<KerasTensor> inputs, nlohmann::json kwargs,
                      const Location& location);
  // An InputLayer of that shape (without the batch; -1: not known).
  KerasTensor AddInput(const std::vector<int64_t>& shape, std::string dtype, std::string name,
                       const Location& location);
  KerasLayer& layer(int32_t i) { return layers_[i]; }
  size_t size() const { return layers_.size(); }
  // "conv2d", then "conv2d_1": the names Keras would give.
  std::string AutoName(std::string_view class_name);
  // Why a layer cannot be costed, by layer.
  std::map<int32_t, std::string> unresolved;

  // The part of the layers between inputs and outputs, with indices of its
  // own. Inputs that are reached but not listed are added.
  KerasModel Cut(const std::string& name, std::vector<KerasTensor> inputs,
                 const std::vector<KerasTensor>& outputs) const;

 private:
  std::vector<KerasLayer> layers_;
  std::map<std::string, int> names_;
};

// "Conv2D" -> "conv2d", "GlobalAveragePooling2D" -> "global_average_pooling2d".
std::string SnakeCase(std::string_view class_name);

// keras.layers.X(...), keras.Input(...), also layers of the script's classes.
std::optional<Value> CallKerasLayer(Interpreter& in, const Call& call);
Value MakeLayer(Interpreter& in, std::string class_name, const Call& call);
// layer(x), layer([x, y]).
Value ApplyLayer(Interpreter& in, int32_t layer, const Call& call);
// tf.nn.relu(x) and the like, when an argument is a Keras tensor.
std::optional<Value> CallOnTensors(Interpreter& in, const Call& call);
// x + y, x * 0.5 on Keras tensors.
std::optional<Value> TensorOperator(Interpreter& in, std::string_view op, const Value& a,
                                    const Value& b, Node at);
// Tensors in a value, in order; nothing when something else is in it.
std::optional<std::vector<KerasTensor>> TensorsOf(const Value& value);
// The shape of a tensor (batch first: -1), when its layers give one.
std::optional<std::vector<int64_t>> TensorShape(Interpreter& in, KerasTensor tensor);

// Constants of the script as JSON, as Keras would serialize an argument.
// Nothing when part of it is not known.
std::optional<nlohmann::json> ToJson(Interpreter& in, const Value& value);

}  // namespace tilewise::python
