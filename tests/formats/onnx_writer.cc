// Models as torch.onnx and tf2onnx write them, with features second where the
// op wants them there.

#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "tests/formats/functions.h"
#include "tests/formats/writers.h"
#include "tests/onnx/model_text.h"

namespace tilewise::formats {
namespace {

class OnnxText final : public Caller {
 public:
  Value Call(const std::string& op, const std::vector<Value>& operands,
             const Attrs& attrs) override {
    return Result("", op, operands, attrs);
  }
  // The result behind those that `unused` leaves out: "- " for one.
  Value Result(const char* unused, const std::string& op, const std::vector<Value>& operands,
               const Attrs& attrs) {
    std::string inputs, texts;
    for (const Value& operand : operands) inputs += " " + operand.name;
    for (const auto& [key, value] : attrs) {
      const bool is_word = value.find_first_not_of("-0123456789.[],") != std::string::npos;
      const char* quote = is_word ? "\"" : "";
      texts += fmt::format(" {}={}{}{}", key, quote, value, quote);
    }
    Value result = Like(operands);
    result.name = New();
    lines_ += fmt::format("node {}{} -> {}{}{}\n", op, inputs, unused, result.name, texts);
    return result;
  }

  Value Number(double number, const Value& beside) override { return Floats(number, beside.type); }
  Value Floats(double number, const std::string& type) {
    Value value{New(), {}, type};
    lines_ += fmt::format("floats {} {}\n", value.name, number);
    return value;
  }
  void List(const std::string& name, const std::string& numbers) {
    lines_ += fmt::format("floats {} {}\n", name, numbers);
  }
  Value Ints(const Dims& numbers) {
    Value value{New(), {}, "s64"};
    lines_ += fmt::format("ints {} {}\n", value.name, Joined(numbers));
    return value;
  }
  Value Weight(const std::string& name, const Dims& dims) {
    lines_ += fmt::format("weight {} f32 {}\n", name, Joined(dims));
    return {name, dims};
  }
  void Input(const Value& input) {
    std::string dims = "N";
    for (size_t i = 1; i < input.dims.size(); ++i) {
      dims += fmt::format(",{}", input.dims[i]);
    }
    lines_ += fmt::format("input {} {} {}\n", input.name, input.type, dims);
  }

  // "node Op a b -> y axis=1", for a result of these dims.
  Value Node(const std::string& op, const std::vector<Value>& operands, const Dims& dims,
             const Attrs& attrs = {}) {
    Value result = Call(op, operands, attrs);
    result.dims = dims;
    return result;
  }
  Value Transposed(const Value& x, const Dims& order) {
    Dims dims;
    for (const int64_t d : order) {
      dims.push_back(x.dims[d]);
    }
    return Node("Transpose", {x}, dims, {{"perm", "[" + Joined(order) + "]"}});
  }
  // To features second and back.
  Value FeaturesSecond(const Value& x) {
    Dims order = {0, x.rank() - 1};
    for (int64_t d = 1; d + 1 < x.rank(); ++d) order.push_back(d);
    return Transposed(x, order);
  }
  Value FeaturesLast(const Value& x) {
    Dims order = {0};
    for (int64_t d = 2; d < x.rank(); ++d) order.push_back(d);
    order.push_back(1);
    return Transposed(x, order);
  }
  // With an open batch.
  Value Reshaped(const Value& x, Dims dims) {
    Dims to = dims;
    to[0] = -1;
    return Node("Reshape", {x, Ints(to)}, dims);
  }

  std::string Text(const Value& result) const {
    return "opset 20\n" + lines_ + "output " + result.name + "\n";
  }

 private:
  std::string New() { return fmt::format("t{}", next_++); }

  int next_ = 0;
  std::string lines_;
};

Value Dense(OnnxText& t, const Value& x, const std::string& name, int64_t units, bool bias) {
  Dims dims = x.dims;
  dims.back() = units;
  const Value kernel = t.Weight(name + ".kernel", {x.features(), units});
  const Value y = t.Node("MatMul", {x, kernel}, dims);
  if (!bias) return y;
  return t.Node("Add", {y, t.Weight(name + ".bias", {units})}, dims);
}

std::string ListText(const Dims& dims) { return "[" + Joined(dims) + "]"; }

Attrs WindowAttrs(const Layer& layer) {
  const Window window = WindowOf(layer);
  Dims pads = window.low;
  pads.insert(pads.end(), window.high.begin(), window.high.end());
  Attrs attrs = {{"kernel_shape", ListText(window.sizes)},
                 {"strides", ListText(window.strides)},
                 {"pads", ListText(pads)}};
  if (Elements(window.dilations) > 1) {
    attrs["dilations"] = ListText(window.dilations);
  }
  return attrs;
}

// The result's dims with features second.
Dims Second(const Dims& dims) {
  Dims second = {dims[0], dims.back()};
  second.insert(second.end(), dims.begin() + 1, dims.end() - 1);
  return second;
}

Value Convolution(OnnxText& t, const Value& x, const Layer& layer) {
  const Window window = WindowOf(layer);
  const int64_t groups = layer.op == "depthwise" ? x.features() : layer.Int("groups", 1);
  Attrs attrs = WindowAttrs(layer);
  const bool transposed = layer.op == "conv_transpose";
  const int64_t out = layer.result.features();
  Dims kernel = transposed ? Dims{x.features(), out} : Dims{out, x.features() / groups};
  kernel.insert(kernel.end(), window.sizes.begin(), window.sizes.end());
  if (transposed) {
    attrs.erase("pads");
    attrs["auto_pad"] = layer.Same() ? "SAME_UPPER" : "VALID";
  }
  if (groups > 1) attrs["group"] = std::to_string(groups);
  std::vector<Value> operands = {t.FeaturesSecond(x),
                                 t.Weight(layer.result.name + ".kernel", kernel)};
  if (layer.Int("bias", 1) == 1) {
    operands.push_back(t.Weight(layer.result.name + ".bias", {out}));
  }
  return t.FeaturesLast(
      t.Node(transposed ? "ConvTranspose" : "Conv", operands, Second(layer.result.dims), attrs));
}

Value Pool(OnnxText& t, const Value& x, const Layer& layer) {
  const bool global = layer.op.starts_with("global");
  const bool max = layer.op == "max_pool" || layer.op == "global_max";
  Dims dims = Second(layer.result.dims);
  if (global) dims.resize(x.dims.size(), 1);
  const std::string op = std::string(global ? "Global" : "") + (max ? "MaxPool" : "AveragePool");
  const Value y = t.Node(op, {t.FeaturesSecond(x)}, dims, global ? Attrs{} : WindowAttrs(layer));
  return global ? t.Reshaped(y, layer.result.dims) : t.FeaturesLast(y);
}

Value Normalization(OnnxText& t, const Value& x, const Layer& layer) {
  const std::string& name = layer.result.name;
  const Dims size = {x.features()};
  const auto weight = [&](const char* part) { return t.Weight(name + "." + part, size); };
  if (layer.op == "layer_norm") {
    return t.Node("LayerNormalization", {x, weight("gamma"), weight("beta")}, x.dims,
                  {{"axis", "-1"}, {"epsilon", "0.001"}});
  }
  const bool two_dims = x.rank() == 2;
  const Value y = two_dims ? x : t.FeaturesSecond(x);
  Value z;
  if (layer.op == "batch_norm") {
    z = t.Node("BatchNormalization",
               {y, weight("gamma"), weight("beta"), weight("mean"), weight("variance")}, y.dims,
               {{"epsilon", "0.001"}});
  } else {
    const int64_t groups = layer.Int("groups");
    const Value flat = t.Reshaped(y, {x.dims[0], groups, Elements(x.dims) / x.dims[0] / groups});
    const Value ones = t.Weight(name + ".ones", {groups});
    const Value zeros = t.Weight(name + ".zeros", {groups});
    z = t.Node("InstanceNormalization", {flat, ones, zeros}, flat.dims, {{"epsilon", "0.001"}});
    z = t.Reshaped(z, y.dims);
    Dims along(y.dims.size() - 1, 1);
    along[0] = x.features();
    z = t.Node("Mul", {z, t.Weight(name + ".gamma", along)}, y.dims);
    z = t.Node("Add", {z, t.Weight(name + ".beta", along)}, y.dims);
  }
  return two_dims ? z : t.FeaturesLast(z);
}

Value Reduced(OnnxText& t, const Value& x, const Layer& layer) {
  const std::map<std::string, std::string> kOps = {
      {"reduce_sum", "ReduceSum"},   {"reduce_mean", "ReduceMean"},
      {"reduce_max", "ReduceMax"},   {"reduce_min", "ReduceMin"},
      {"reduce_prod", "ReduceProd"}, {"reduce_logsumexp", "ReduceLogSumExp"}};
  const std::string keep = layer.Word("keep", "0");
  if (layer.op.starts_with("arg")) {
    const Value y = t.Node(layer.op == "argmax" ? "ArgMax" : "ArgMin", {x}, layer.result.dims,
                           {{"axis", std::to_string(layer.Axis())}, {"keepdims", keep}});
    return t.Node("Cast", {y}, layer.result.dims, {{"to", "6"}});
  }
  return t.Node(kOps.at(layer.op), {x, t.Ints({layer.Axis()})}, layer.result.dims,
                {{"keepdims", keep}});
}

Value Attention(OnnxText& t, const Value& x, const Layer& layer) {
  const int64_t heads = layer.Int("heads"), depth = layer.Int("depth");
  const int64_t batch = x.dims[0], length = x.dims[1];
  const std::string& name = layer.result.name;
  const auto project = [&](const char* part, const Dims& order) {
    const Value y = Dense(t, x, name + "." + part, heads * depth, true);
    return t.Transposed(t.Reshaped(y, {batch, length, heads, depth}), order);
  };
  Value q = project("query", {0, 2, 1, 3});
  const Value k = project("key", {0, 2, 3, 1});
  const Value v = project("value", {0, 2, 1, 3});
  const double scale = 1 / std::sqrt(static_cast<double>(depth));
  q = t.Node("Mul", {q, t.Floats(scale, "f32")}, q.dims);
  const Dims scores = {batch, heads, length, length};
  const Value weights =
      t.Node("Softmax", {t.Node("MatMul", {q, k}, scores)}, scores, {{"axis", "-1"}});
  const Value seen = t.Node("MatMul", {weights, v}, q.dims);
  const Value joined = t.Reshaped(t.Transposed(seen, {0, 2, 1, 3}), {batch, length, heads * depth});
  return Dense(t, joined, name + ".output", x.features(), true);
}

Value Padded(OnnxText& t, const Value& x, const Layer& layer) {
  Dims around = {0};
  for (const int64_t size : layer.PerDim("size")) around.push_back(size);
  around.push_back(0);
  const Dims& dims = layer.result.dims;
  if (layer.op == "crop") {
    Dims ends, axes, starts;
    for (size_t d = 1; d + 1 < x.dims.size(); ++d) {
      axes.push_back(static_cast<int64_t>(d));
      starts.push_back(around[d]);
      ends.push_back(-around[d]);
    }
    return t.Node("Slice", {x, t.Ints(starts), t.Ints(ends), t.Ints(axes)}, dims);
  }
  Dims both = around;
  both.insert(both.end(), around.begin(), around.end());
  return t.Node("Pad", {x, t.Ints(both)}, dims);
}

Value Resized(OnnxText& t, const Value& x, const Layer& layer) {
  const Value y = t.FeaturesSecond(x);
  Dims sizes = Second(layer.result.dims);
  std::string scales = "1.0,1.0";
  for (const int64_t size : layer.PerDim("size")) {
    scales += fmt::format(",{}.0", size);
  }
  const bool nearest = layer.op == "upsample";
  const Value none{"-", {}, "f32"};
  Value scale{layer.result.name + ".scales", {}, "f32"};
  t.List(scale.name, scales);
  return t.FeaturesLast(
      t.Node("Resize", {y, none, scale}, sizes,
             {{"mode", nearest ? "nearest" : "linear"},
              {"coordinate_transformation_mode", nearest ? "asymmetric" : "half_pixel"},
              {"nearest_mode", "floor"}}));
}

Value Arranged(OnnxText& t, const std::vector<Value>& inputs, const Layer& layer) {
  const Value& x = inputs[0];
  const Dims& dims = layer.result.dims;
  if (layer.op == "concat") {
    return t.Node("Concat", inputs, dims, {{"axis", std::to_string(layer.Axis())}});
  }
  if (layer.op == "transpose") return t.Transposed(x, layer.List("perm"));
  if (layer.op == "flatten") return t.Node("Flatten", {x}, dims);
  if (layer.op == "tile") {
    return t.Node("Tile", {x, t.Ints(layer.List("times"))}, dims);
  }
  if (layer.op == "slice") {
    Dims ends = layer.List("starts"), axes(ends.size());
    std::iota(axes.begin(), axes.end(), 1);
    for (size_t i = 0; i < ends.size(); ++i) ends[i] += dims[i + 1];
    return t.Node("Slice", {x, t.Ints(layer.List("starts")), t.Ints(ends), t.Ints(axes)}, dims);
  }
  return t.Reshaped(x, dims);
}

// [time, batch, features] inside, as the op wants it.
Value Recurrent(OnnxText& t, const Value& x, const Layer& layer) {
  const std::map<std::string, std::pair<std::string, int64_t>> kOps = {
      {"lstm", {"LSTM", 4}}, {"gru", {"GRU", 3}}, {"simple_rnn", {"RNN", 1}}};
  const auto& [op, gates] = kOps.at(layer.op);
  const std::string& name = layer.result.name;
  const int64_t units = layer.Int("units"), batch = x.dims[0];
  const Value steps = t.Transposed(x, {1, 0, 2});
  Attrs attrs = {{"hidden_size", std::to_string(units)}};
  if (layer.op == "gru") attrs["linear_before_reset"] = "1";
  const std::vector<Value> operands = {steps,
                                       t.Weight(name + ".W", {1, gates * units, x.features()}),
                                       t.Weight(name + ".R", {1, gates * units, units}),
                                       t.Weight(name + ".B", {1, 2 * gates * units})};
  if (layer.Int("sequences") == 1) {
    Value y = t.Node(op, operands, {x.dims[1], 1, batch, units}, attrs);
    y = t.Node("Squeeze", {y, t.Ints({1})}, {x.dims[1], batch, units});
    return t.Transposed(y, {1, 0, 2});
  }
  const Value last = t.Result("- ", op, operands, attrs);
  return t.Node("Squeeze", {last, t.Ints({0})}, {batch, units});
}

std::optional<Value> Written(OnnxText& t, const std::vector<Value>& inputs, const Layer& layer) {
  const Value& x = inputs[0];
  const std::string& op = layer.op;
  const Dims& dims = layer.result.dims;
  const std::string axis = std::to_string(layer.Axis());
  if (const Function* function = FindFunction(op)) {
    if (function->onnx.empty()) return std::nullopt;
    Value y = Evaluate(function->onnx, inputs, t);
    y.dims = dims;
    return y;
  }
  if (op == "dense") {
    return Dense(t, x, layer.result.name, layer.Int("units"), layer.Int("bias", 1) == 1);
  }
  if (op == "conv" || op == "depthwise" || op == "conv_transpose") {
    return Convolution(t, x, layer);
  }
  if (op.ends_with("_pool") || op.starts_with("global_")) {
    return Pool(t, x, layer);
  }
  if (op.ends_with("_norm")) return Normalization(t, x, layer);
  if (op == "softmax" || op == "log_softmax") {
    return t.Node(op == "softmax" ? "Softmax" : "LogSoftmax", {x}, dims, {{"axis", axis}});
  }
  if (op.starts_with("reduce_") || op.starts_with("arg")) {
    return Reduced(t, x, layer);
  }
  if (op == "attention") return Attention(t, x, layer);
  if (op == "embedding") {
    const Value table =
        t.Weight(layer.result.name + ".table", {layer.Int("rows"), layer.Int("width")});
    return t.Node("Gather", {table, x}, dims);
  }
  if (op == "one_hot") {
    t.List(layer.result.name + ".values", "0.0,1.0");
    return t.Node("OneHot",
                  {x, t.Ints({layer.Int("depth")}), {layer.result.name + ".values", {}, "f32"}},
                  dims, {{"axis", "-1"}});
  }
  if (op == "cumsum") {
    return t.Node("CumSum", {x, t.Ints({layer.Axis()})}, dims);
  }
  if (op == "matmul") {
    Value y = inputs[1];
    if (layer.Has("transpose")) {
      Dims order(y.dims.size());
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[order.size() - 1], order[order.size() - 2]);
      y = t.Transposed(y, order);
    }
    return t.Node("MatMul", {x, y}, dims);
  }
  if (op == "cast") {
    return t.Node("Cast", {x}, dims, {{"to", layer.Word("to") == "s32" ? "6" : "1"}});
  }
  if (op == "top_k" || op == "sort") {
    const int64_t k = op == "sort" ? x.features() : layer.Int("k");
    return t.Node("TopK", {x, t.Ints({k})}, dims, {{"largest", op == "sort" ? "0" : "1"}});
  }
  if (op == "zero_pad" || op == "crop") return Padded(t, x, layer);
  if (op == "upsample" || op == "resize") return Resized(t, x, layer);
  if (op == "lstm" || op == "gru" || op == "simple_rnn") {
    return Recurrent(t, x, layer);
  }
  return Arranged(t, inputs, layer);
}

}  // namespace

File Onnx(const Model& model) {
  OnnxText text;
  std::map<std::string, Value> values;
  for (const Layer& layer : model.layers) {
    values[layer.result.name] = layer.result;
    if (layer.op == "input") {
      text.Input(layer.result);
      continue;
    }
    std::vector<Value> inputs;
    for (const Value& input : layer.inputs) {
      inputs.push_back(values.at(input.name));
    }
    const std::optional<Value> result = Written(text, inputs, layer);
    if (!result) return {"model.onnx", ""};
    values[layer.result.name] = *result;
  }
  return {"model.onnx",
          ModelFromText(text.Text(values.at(model.output().name))).SerializeAsString()};
}

}  // namespace tilewise::formats
