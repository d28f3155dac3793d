// The model as a program would build it: Keras, PyTorch (channels first where
// there are spatial dims), Flax.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "tests/formats/writers.h"

namespace tilewise::formats {
namespace {

constexpr double kEpsilon = 1e-3;

// A layer in one language; `call` is empty where it has no words for it.
struct Words {
  std::string call;       // of the inputs: "nn.relu(y0)", "self.y1(y0)"
  std::string make = {};  // of PyTorch's module: "nn.Linear(4, 8)"
};

std::string Tuple(const Dims& dims) { return "(" + Joined(dims, ", ") + ",)"; }
std::string Truth(bool value) { return value ? "True" : "False"; }
std::string Bias(const Layer& layer) { return Truth(layer.Int("bias", 1) == 1); }
bool IsOne(const Dims& dims) {
  return std::all_of(dims.begin(), dims.end(), [](int64_t d) { return d == 1; });
}

std::string Names(const Layer& layer) {
  std::string names;
  for (const Value& input : layer.inputs) names += (names.empty() ? "" : ", ") + input.name;
  return names;
}

// Operators on two tensors.
std::string OperatorOf(const std::string& op) {
  const std::map<std::string, std::string> kOperators = {{"add", "+"}, {"sub", "-"}, {"mul", "*"}};
  const auto found = kOperators.find(op);
  return found == kOperators.end() ? "" : found->second;
}

std::string Infix(const Layer& layer) {
  const std::string sign = OperatorOf(layer.op);
  if (sign.empty() || layer.inputs.size() != 2) return "";
  return fmt::format("{} {} {}", layer.inputs[0].name, sign, layer.inputs[1].name);
}

std::string WindowWords(const Layer& layer, std::string_view size, std::string_view dilation) {
  const Window window = WindowOf(layer);
  std::string text = fmt::format("{}={}, strides={}, padding='{}'", size, Tuple(window.sizes),
                                 Tuple(window.strides), layer.Same() ? "same" : "valid");
  if (!dilation.empty() && !IsOne(window.dilations)) {
    text += fmt::format(", {}={}", dilation, Tuple(window.dilations));
  }
  return text;
}

std::string KerasWindowed(const Layer& layer) {
  const std::string n = fmt::format("{}D", layer.x().spatial());
  const std::string& op = layer.op;
  if (op == "conv") {
    return fmt::format("Conv{}({}, {}, groups={}, use_bias={})", n, layer.Int("filters"),
                       WindowWords(layer, "kernel_size", "dilation_rate"), layer.Int("groups", 1),
                       Bias(layer));
  }
  if (op == "depthwise") {
    return fmt::format("DepthwiseConv{}({}, depth_multiplier={}, use_bias={})", n,
                       WindowWords(layer, "kernel_size", "dilation_rate"),
                       layer.Int("multiplier", 1), Bias(layer));
  }
  if (op == "conv_transpose") {
    return fmt::format("Conv{}Transpose({}, {})", n, layer.Int("filters"),
                       WindowWords(layer, "kernel_size", "dilation_rate"));
  }
  if (op == "max_pool") {
    return fmt::format("MaxPooling{}({})", n, WindowWords(layer, "pool_size", ""));
  }
  if (op == "avg_pool") {
    return fmt::format("AveragePooling{}({})", n, WindowWords(layer, "pool_size", ""));
  }
  if (op == "global_avg") return "GlobalAveragePooling" + n + "()";
  if (op == "global_max") return "GlobalMaxPooling" + n + "()";
  if (op == "upsample") return fmt::format("UpSampling{}({})", n, Tuple(layer.PerDim("size")));
  if (op == "zero_pad") return fmt::format("ZeroPadding{}({})", n, Tuple(layer.PerDim("size")));
  if (op == "crop") return fmt::format("Cropping{}({})", n, Tuple(layer.PerDim("size")));
  return "";
}

std::string KerasLayer(const Layer& layer) {
  const std::string& op = layer.op;
  if (op == "relu6") return "ReLU(6.0)";
  if (op == "leaky_relu") return "LeakyReLU(0.2)";
  for (const char* name : {"relu", "elu", "selu", "softplus", "softsign", "gelu", "swish",
                           "sigmoid", "tanh", "exponential"}) {
    if (op == name) return fmt::format("Activation('{}')", op);
  }
  if (op == "dense") {
    return fmt::format("Dense({}, use_bias={})", layer.Int("units"), Bias(layer));
  }
  if (op == "embedding") {
    return fmt::format("Embedding({}, {})", layer.Int("rows"), layer.Int("width"));
  }
  if (op == "softmax") return fmt::format("Softmax(axis={})", layer.Axis());
  if (op == "batch_norm") return fmt::format("BatchNormalization(epsilon={})", kEpsilon);
  if (op == "layer_norm") return fmt::format("LayerNormalization(epsilon={})", kEpsilon);
  if (op == "group_norm") {
    return fmt::format("GroupNormalization({}, epsilon={})", layer.Int("groups"), kEpsilon);
  }
  if (op == "flatten") return "Flatten()";
  if (op == "reshape") return fmt::format("Reshape({})", Tuple(layer.List("to")));
  if (op == "transpose") {
    Dims order = layer.List("perm");
    order.erase(order.begin());
    return fmt::format("Permute({})", Tuple(order));
  }
  const std::string sequences = Truth(layer.Int("sequences") == 1);
  const std::map<std::string, std::string> kCells = {
      {"lstm", "LSTM"}, {"gru", "GRU"}, {"simple_rnn", "SimpleRNN"}};
  if (const auto cell = kCells.find(op); cell != kCells.end()) {
    return fmt::format("{}({}, return_sequences={})", cell->second, layer.Int("units"), sequences);
  }
  return KerasWindowed(layer);
}

Words Keras(const Layer& layer) {
  const std::string& op = layer.op;
  if (op == "add" || op == "sub" || op == "mul") {
    const char* name = op == "add" ? "Add" : op == "sub" ? "Subtract" : "Multiply";
    return {fmt::format("layers.{}()([{}])", name, Names(layer))};
  }
  if (op == "concat") {
    return {fmt::format("layers.Concatenate(axis={})([{}])", layer.Axis(), Names(layer))};
  }
  if (op == "attention") {
    return {fmt::format("layers.MultiHeadAttention({}, {})({}, {})", layer.Int("heads"),
                        layer.Int("depth"), layer.x().name, layer.x().name)};
  }
  if (op == "matmul") {
    return {
        fmt::format("tf.matmul({}, transpose_b={})", Names(layer), Truth(layer.Has("transpose")))};
  }
  if (op == "reduce_sum") {
    return {fmt::format("tf.reduce_sum({}, axis={}, keepdims={})", layer.x().name, layer.Axis(),
                        Truth(layer.Int("keep") == 1))};
  }
  const std::string made = KerasLayer(layer);
  if (made.empty() || layer.inputs.size() != 1) return {};
  return {fmt::format("layers.{}({})", made, layer.x().name)};
}

std::string FlaxWindowed(const Layer& layer) {
  const std::string& x = layer.x().name;
  const std::string& op = layer.op;
  const Window window = WindowOf(layer);
  const std::string padding = layer.Same() ? "'SAME'" : "'VALID'";
  const std::string shape = fmt::format("{}, strides={}, padding={}", Tuple(window.sizes),
                                        Tuple(window.strides), padding);
  if (op == "conv" || op == "depthwise") {
    const bool deep = op == "depthwise";
    return fmt::format(
        "nn.Conv({}, {}, kernel_dilation={}, feature_group_count={}, use_bias={})({})",
        layer.result.features(), shape, Tuple(window.dilations),
        deep ? layer.x().features() : layer.Int("groups", 1), Bias(layer), x);
  }
  if (op == "conv_transpose") {
    return fmt::format("nn.ConvTranspose({}, {})({})", layer.Int("filters"), shape, x);
  }
  if (op == "max_pool" || (op == "avg_pool" && !layer.Same())) {
    return fmt::format("nn.{}({}, {})", op, x, shape);
  }
  return "";
}

std::string FlaxCall(const Layer& layer) {
  const std::string& op = layer.op;
  const std::string& x = layer.x().name;
  if (const std::string infix = Infix(layer); !infix.empty()) return infix;
  const std::map<std::string, std::string> kFunctions = {
      {"relu", "nn.relu"}, {"relu6", "nn.relu6"},       {"elu", "nn.elu"},
      {"selu", "nn.selu"}, {"softplus", "nn.softplus"}, {"swish", "nn.swish"},
      {"tanh", "nn.tanh"}, {"sigmoid", "nn.sigmoid"},   {"softsign", "nn.soft_sign"},
  };
  if (const auto found = kFunctions.find(op); found != kFunctions.end()) {
    return fmt::format("{}({})", found->second, x);
  }
  if (op == "gelu") return fmt::format("nn.gelu({}, approximate=False)", x);
  if (op == "leaky_relu") return fmt::format("nn.leaky_relu({}, 0.2)", x);
  if (op == "softmax") return fmt::format("nn.softmax({}, axis={})", x, layer.Axis());
  if (op == "dense") {
    return fmt::format("nn.Dense({}, use_bias={})({})", layer.Int("units"), Bias(layer), x);
  }
  if (op == "embedding") {
    return fmt::format("nn.Embed({}, {})({})", layer.Int("rows"), layer.Int("width"), x);
  }
  if (op == "batch_norm") {
    return fmt::format("nn.BatchNorm(use_running_average=False, epsilon={})({})", kEpsilon, x);
  }
  if (op == "layer_norm") return fmt::format("nn.LayerNorm(epsilon={})({})", kEpsilon, x);
  if (op == "group_norm") {
    return fmt::format("nn.GroupNorm({}, epsilon={})({})", layer.Int("groups"), kEpsilon, x);
  }
  if (op == "attention") {
    return fmt::format("nn.MultiHeadDotProductAttention({0}, qkv_features={1})({2}, {2})",
                       layer.Int("heads"), layer.Int("heads") * layer.Int("depth"), x);
  }
  if (op == "concat") return fmt::format("jnp.concatenate([{}], {})", Names(layer), layer.Axis());
  if (op == "flatten") return fmt::format("{0}.reshape({0}.shape[0], -1)", x);
  if (op == "reshape") {
    return fmt::format("{0}.reshape({0}.shape[0], {1})", x, Joined(layer.List("to"), ", "));
  }
  if (op == "transpose") return fmt::format("{}.transpose({})", x, Tuple(layer.List("perm")));
  if (op == "matmul") {
    const std::string& y = layer.inputs[1].name;
    return fmt::format("{} @ {}{}", x, y, layer.Has("transpose") ? ".swapaxes(-1, -2)" : "");
  }
  if (op == "reduce_sum") {
    return fmt::format("{}.sum({}, keepdims={})", x, layer.Axis(), Truth(layer.Int("keep") == 1));
  }
  const bool maximum = op == "global_max";
  if (op == "global_avg" || maximum) {
    Dims axes;
    for (int64_t i = 1; i <= layer.x().spatial(); ++i) axes.push_back(i);
    return fmt::format("{}.{}({})", x, maximum ? "max" : "mean", Tuple(axes));
  }
  return layer.Has("kernel") || layer.Has("size") ? FlaxWindowed(layer) : "";
}

Words Flax(const Layer& layer) { return {FlaxCall(layer)}; }

// The axis of PyTorch: channels stand before spatial dims.
int64_t TorchAxis(const Value& value, int64_t axis) {
  if (value.rank() < 4) return axis;
  if (axis == -1 || axis == value.rank() - 1) return 1;
  return axis < 0 ? axis + 1 : axis + 1;
}

Words TorchWindowed(const Layer& layer) {
  const Value& x = layer.x();
  if (x.rank() < 4) return {};
  const Window window = WindowOf(layer);
  const std::string n = fmt::format("{}d", x.spatial());
  const std::string call = fmt::format("self.{}({})", layer.result.name, x.name);
  const std::string& op = layer.op;
  // PyTorch pads alike on both sides.
  if (window.low != window.high) return {};
  const std::string shape =
      fmt::format("{}, {}, {}", Tuple(window.sizes), Tuple(window.strides), Tuple(window.low));
  if (op == "conv" || op == "depthwise") {
    const bool deep = op == "depthwise";
    return {call, fmt::format("nn.Conv{}({}, {}, {}, dilation={}, groups={}, bias={})", n,
                              x.features(), layer.result.features(), shape, Tuple(window.dilations),
                              deep ? x.features() : layer.Int("groups", 1), Bias(layer))};
  }
  if (op == "conv_transpose") {
    Dims padding;
    for (size_t i = 0; i < window.sizes.size(); ++i) {
      const int64_t extra = layer.Same() ? window.sizes[i] - window.strides[i] : 0;
      if (extra % 2 != 0) return {};
      padding.push_back(extra / 2);
    }
    return {call, fmt::format("nn.ConvTranspose{}({}, {}, {}, {}, {})", n, x.features(),
                              layer.Int("filters"), Tuple(window.sizes), Tuple(window.strides),
                              Tuple(padding))};
  }
  if (op == "max_pool") return {call, fmt::format("nn.MaxPool{}({})", n, shape)};
  if (op == "avg_pool" && IsOne(window.sizes) == false && !layer.Same()) {
    return {call, fmt::format("nn.AvgPool{}({})", n, shape)};
  }
  return {};
}

std::string TorchReshape(const Layer& layer) {
  const Value& x = layer.x();
  const Value& to = layer.result;
  if (x.rank() >= 4 && to.rank() == 3) return x.name + ".flatten(2).transpose(1, 2)";
  if (x.rank() < 4 && to.rank() < 4) {
    return fmt::format("{}.reshape(-1, {})", x.name, Joined(layer.List("to"), ", "));
  }
  if (x.rank() != 2 || to.rank() != 4) return "";
  return fmt::format("{}.reshape(-1, {}, {}, {})", x.name, to.dims[3], to.dims[1], to.dims[2]);
}

std::string TorchFunction(const Layer& layer) {
  const std::string& op = layer.op;
  const Value& value = layer.x();
  const std::string& x = value.name;
  if (const std::string infix = Infix(layer); !infix.empty()) return infix;
  const std::map<std::string, std::string> kFunctions = {
      {"relu", "F.relu"}, {"relu6", "F.relu6"},       {"elu", "F.elu"},
      {"selu", "F.selu"}, {"softplus", "F.softplus"}, {"swish", "F.silu"},
      {"gelu", "F.gelu"}, {"tanh", "torch.tanh"},     {"sigmoid", "torch.sigmoid"},
  };
  if (const auto found = kFunctions.find(op); found != kFunctions.end()) {
    return fmt::format("{}({})", found->second, x);
  }
  const int64_t axis = TorchAxis(value, layer.Axis());
  if (op == "leaky_relu") return fmt::format("F.leaky_relu({}, 0.2)", x);
  if (op == "softmax") return fmt::format("F.softmax({}, {})", x, axis);
  if (op == "concat") return fmt::format("torch.cat([{}], {})", Names(layer), axis);
  if (op == "flatten") return fmt::format("{}.flatten(1)", x);
  if (op == "reshape") return TorchReshape(layer);
  if (op == "transpose" && value.rank() == 3) return fmt::format("{}.transpose(1, 2)", x);
  if (op == "matmul" && value.rank() < 4) {
    const std::string& y = layer.inputs[1].name;
    return fmt::format("{} @ {}{}", x, y, layer.Has("transpose") ? ".transpose(-1, -2)" : "");
  }
  if (op == "reduce_sum" && value.rank() < 4) {
    return fmt::format("{}.sum({}, keepdim={})", x, axis, Truth(layer.Int("keep") == 1));
  }
  const std::string spatial = value.rank() == 3   ? "(1,)"
                              : value.rank() == 4 ? "(2, 3)"
                                                  : "(2, 3, 4)";
  if (op == "global_avg") return fmt::format("{}.mean({})", x, spatial);
  if (op == "global_max") return fmt::format("{}.amax({})", x, spatial);
  if (op == "upsample" && value.rank() == 4) {
    return fmt::format("F.interpolate({}, scale_factor={})", x, layer.PerDim("size")[0]);
  }
  return "";
}

Words Torch(const Layer& layer) {
  const Value& x = layer.x();
  const std::string& op = layer.op;
  const std::string call = fmt::format("self.{}({})", layer.result.name, x.name);
  if (op == "dense" && x.rank() < 4) {
    return {call, fmt::format("nn.Linear({}, {}, bias={})", x.features(), layer.Int("units"),
                              Bias(layer))};
  }
  if (op == "embedding") {
    return {call, fmt::format("nn.Embedding({}, {})", layer.Int("rows"), layer.Int("width"))};
  }
  if (op == "batch_norm" && x.rank() != 3) {
    return {call, fmt::format("nn.BatchNorm{}d({}, eps={})", std::max<int64_t>(1, x.spatial()),
                              x.features(), kEpsilon)};
  }
  if (op == "layer_norm" && x.rank() < 4) {
    return {call, fmt::format("nn.LayerNorm({}, eps={})", x.features(), kEpsilon)};
  }
  if (op == "group_norm") {
    return {call, fmt::format("nn.GroupNorm({}, {}, eps={})", layer.Int("groups"), x.features(),
                              kEpsilon)};
  }
  const std::map<std::string, std::string> kCells = {
      {"lstm", "LSTM"}, {"gru", "GRU"}, {"simple_rnn", "RNN"}};
  if (const auto cell = kCells.find(op); cell != kCells.end()) {
    return {call + (layer.Int("sequences") == 1 ? "[0]" : "[0][:, -1]"),
            fmt::format("nn.{}({}, {}, batch_first=True)", cell->second, x.features(),
                        layer.Int("units"))};
  }
  if (op == "attention" && layer.Int("heads") * layer.Int("depth") == x.features()) {
    return {
        fmt::format("self.{0}({1}, {1}, {1}, need_weights=False)[0]", layer.result.name, x.name),
        fmt::format("nn.MultiheadAttention({}, {}, batch_first=True)", x.features(),
                    layer.Int("heads"))};
  }
  const std::string function = TorchFunction(layer);
  if (!function.empty()) return {function};
  return layer.Has("kernel") || layer.Has("size") ? TorchWindowed(layer) : Words{};
}

struct Program {
  std::string inputs;  // "28x28x1:f32"
  std::string names;   // of the inputs
  std::string makes;   // lines
  std::string calls;   // lines
};

// Empty `calls`: a layer has no words.
Program Written(const Model& model, Words (*words)(const Layer&), bool channels_first,
                std::string_view indent) {
  Program program;
  for (const Layer& layer : model.layers) {
    if (layer.op == "input") {
      Dims dims(layer.result.dims.begin() + 1, layer.result.dims.end());
      if (channels_first && dims.size() > 2) {
        dims.insert(dims.begin(), dims.back());
        dims.pop_back();
      }
      program.inputs += fmt::format("{}{}:{}", program.inputs.empty() ? "" : ",", Joined(dims, "x"),
                                    layer.result.type);
      program.names += (program.names.empty() ? "" : ", ") + layer.result.name;
      continue;
    }
    const Words found = words(layer);
    if (found.call.empty()) return {};
    program.calls += fmt::format("{}{} = {}\n", indent, layer.result.name, found.call);
    if (found.make.empty()) continue;
    program.makes += fmt::format("{}self.{} = {}\n", indent, layer.result.name, found.make);
  }
  return program;
}

File Finished(const Program& program, std::string text, std::string model) {
  if (program.calls.empty()) return {"model.py", ""};
  return {"model.py", std::move(text), std::move(model), program.inputs};
}

}  // namespace

File KerasProgram(const Model& model) {
  const Program program = Written(model, Keras, false, "");
  std::string inputs;
  for (const Layer& layer : model.layers) {
    if (layer.op != "input") continue;
    const Dims dims(layer.result.dims.begin() + 1, layer.result.dims.end());
    inputs += fmt::format("{} = layers.Input({}, dtype='{}')\n", layer.result.name, Tuple(dims),
                          layer.result.type == "s32" ? "int32" : "float32");
  }
  return Finished(program,
                  fmt::format("import tensorflow as tf\nfrom tensorflow.keras import layers\n{}{}"
                              "net = tf.keras.Model([{}], {})\n",
                              inputs, program.calls, program.names, model.output().name),
                  "net");
}

File TorchProgram(const Model& model) {
  const Program program = Written(model, Torch, true, "        ");
  return Finished(
      program,
      fmt::format("import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
                  "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n{}"
                  "    def forward(self, {}):\n{}        return {}\n",
                  program.makes, program.names, program.calls, model.output().name),
      "Net()");
}

File FlaxProgram(const Model& model) {
  const Program program = Written(model, Flax, false, "        ");
  return Finished(program,
                  fmt::format("import jax.numpy as jnp\nfrom flax import linen as nn\n"
                              "class Net(nn.Module):\n    @nn.compact\n"
                              "    def __call__(self, {}):\n{}        return {}\n",
                              program.names, program.calls, model.output().name),
                  "Net()");
}

}  // namespace tilewise::formats
