// Graphs as Keras builds them on TensorFlow, weights in resource variables.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "tests/formats/graph_text.h"
#include "tests/formats/writers.h"

namespace tilewise::formats {
namespace {

Value AddBias(GraphText& t, const Value& y, const std::string& name) {
  return t.Node("BiasAdd", {y, t.Weight(name + "/bias", {y.features()})}, y.dims);
}

// Of more than two dims, tensordot's reshapes stand around the product.
Value Dense(GraphText& t, const Value& x, const std::string& name, int64_t units, bool bias) {
  const Value kernel = t.Weight(name + "/kernel", {x.features(), units});
  Dims dims = x.dims;
  dims.back() = units;
  const bool flat = x.rank() == 2;
  const int64_t rows = Elements(x.dims) / x.features();
  const Value rows_of_x = flat ? x : t.Reshaped(x, {rows, x.features()});
  Value y = t.Node("MatMul", {rows_of_x, kernel}, {rows, units});
  if (!flat) y = t.Reshaped(y, dims);
  return bias ? AddBias(t, y, name) : y;
}

std::string Around(const Dims& spatial) { return "[1," + Joined(spatial) + ",1]"; }

Attrs WindowAttrs(const Layer& layer) {
  const Window window = WindowOf(layer);
  Attrs attrs = {{"strides", Around(window.strides)}, {"padding", layer.Same() ? "SAME" : "VALID"}};
  if (layer.Has("size")) attrs["ksize"] = Around(window.sizes);
  if (Elements(window.dilations) > 1) {
    attrs["dilations"] = Around(window.dilations);
  }
  return attrs;
}

// A window over one dim is one over two, the first of size 1.
Value OverTwoDims(GraphText& t, const std::string& op, const Value& x, const Layer& layer,
                  const Dims& kernel) {
  const Window window = WindowOf(layer);
  const Value wide = t.Node("ExpandDims", {x, t.Int(1)}, {x.dims[0], 1, x.dims[1], x.dims[2]});
  Attrs attrs = {{"strides", fmt::format("[1,1,{},1]", window.strides[0])},
                 {"padding", layer.Same() ? "SAME" : "VALID"}};
  if (layer.Has("size")) {
    attrs["ksize"] = fmt::format("[1,1,{},1]", window.sizes[0]);
  }
  if (window.dilations[0] > 1) {
    attrs["dilations"] = fmt::format("[1,1,{},1]", window.dilations[0]);
  }
  std::vector<Value> operands = {wide};
  if (!kernel.empty()) {
    Dims dims = kernel;
    dims.insert(dims.begin(), 1);
    operands.push_back(
        t.Node("ExpandDims", {t.Weight(layer.result.name + "/kernel", kernel), t.Int(0)}, dims));
  }
  const Dims& dims = layer.result.dims;
  const Value y = t.Node(op, operands, {dims[0], 1, dims[1], dims[2]}, attrs);
  return t.Node("Squeeze", {y}, dims, {{"squeeze_dims", "[1]"}});
}

Value Convolution(GraphText& t, const Value& x, const Layer& layer) {
  const Window window = WindowOf(layer);
  const bool depthwise = layer.op == "depthwise";
  Dims kernel = window.sizes;
  kernel.push_back(depthwise ? x.features() : x.features() / layer.Int("groups", 1));
  kernel.push_back(depthwise ? layer.Int("multiplier", 1) : layer.result.features());
  Value y;
  if (layer.x().spatial() == 1) {
    y = OverTwoDims(t, "Conv2D", x, layer, kernel);
  } else {
    const std::string op =
        depthwise ? "DepthwiseConv2dNative" : fmt::format("Conv{}D", x.spatial());
    y = t.Node(op, {x, t.Weight(layer.result.name + "/kernel", kernel)}, layer.result.dims,
               WindowAttrs(layer));
  }
  return layer.Int("bias", 1) == 1 ? AddBias(t, y, layer.result.name) : y;
}

// Sizes of the result: that of the batch is only known as the graph runs.
Value RuntimeShape(GraphText& t, const Value& x, const Dims& dims) {
  const Value shape = t.Node("Shape", {x}, {x.rank()});
  const Value batch = t.Node("StridedSlice", {shape, t.Ints({0}), t.Ints({1}), t.Ints({1})}, {},
                             {{"shrink_axis_mask", "1"}});
  std::vector<Value> parts = {batch};
  for (size_t i = 1; i < dims.size(); ++i) parts.push_back(t.Int(dims[i]));
  return t.Node("Pack", parts, {static_cast<int64_t>(dims.size())},
                {{"N", std::to_string(dims.size())}});
}

Value Transposed(GraphText& t, const Value& x, const Layer& layer) {
  Dims kernel = WindowOf(layer).sizes;
  kernel.push_back(layer.Int("filters"));
  kernel.push_back(x.features());
  const std::string& name = layer.result.name;
  Attrs attrs = WindowAttrs(layer);
  const Value y =
      t.Node("Conv2DBackpropInput",
             {RuntimeShape(t, x, layer.result.dims), t.Weight(name + "/kernel", kernel), x},
             layer.result.dims, attrs);
  return AddBias(t, y, name);
}

Value Pool(GraphText& t, const Value& x, const Layer& layer) {
  std::string op = layer.op == "max_pool" ? "MaxPool" : "AvgPool";
  if (x.spatial() == 1) return OverTwoDims(t, op, x, layer, {});
  if (x.spatial() == 3) op += "3D";
  return t.Node(op, {x}, layer.result.dims, WindowAttrs(layer));
}

// tf.nn.batch_normalization.
Value Normalized(GraphText& t, const Value& x, const Value& mean, const Value& variance,
                 const Value& scale, const Value& offset) {
  const Value factor = Evaluate("Mul(Rsqrt(AddV2(x,0.001)),y)", {variance, scale}, t);
  return Evaluate("AddV2(Mul(x,y),Sub(z,Mul(w,y)))", {x, factor, offset, mean}, t);
}

// Keras's layer norm is a fused batch norm that takes the rows for features;
// scale and offset come after it.
Value LayerNorm(GraphText& t, const Value& x, const Value& scale, const Value& offset) {
  const Value shape = t.Node("Shape", {x}, {x.rank()});
  const auto size = [&](int64_t dim) {
    return t.Node("StridedSlice", {shape, t.Ints({dim}), t.Ints({dim + 1}), t.Ints({1})}, {},
                  {{"shrink_axis_mask", "1"}});
  };
  Value rows = size(0);
  for (int64_t dim = 1; dim + 1 < x.rank(); ++dim) rows = t.Node("Mul", {rows, size(dim)}, {});
  const Dims squeezed = {1, Elements(x.dims) / x.features(), x.features(), 1};
  const Value sizes =
      t.Node("Pack", {t.Int(1), rows, size(x.rank() - 1), t.Int(1)}, {4}, {{"N", "4"}});
  const auto filled = [&](double value) {
    const Value number = t.Number(value, {"", {}, "f32"});
    return t.Node("Fill", {t.Node("Pack", {rows}, {1}, {{"N", "1"}}), number}, {squeezed[1]});
  };
  const Value none = t.Constant("f32", "dim { size: 0 } ", "");
  Value y = t.Node("Reshape", {x, sizes}, squeezed);
  y = t.Node("FusedBatchNormV3", {y, filled(1), filled(0), none, none}, squeezed,
             {{"is_training", "true"}, {"data_format", "NCHW"}, {"epsilon", "0.001"}});
  y = t.Node("Reshape", {y, shape}, x.dims);
  return Evaluate("AddV2(Mul(x,y),z)", {y, scale, offset}, t);
}

Value Standardized(GraphText& t, const Value& x, const Dims& over, const Value& scale,
                   const Value& offset) {
  const Value mean = t.Reduced("Mean", x, over, true);
  const Value square = t.Node("SquaredDifference", {x, mean}, x.dims);
  const Value variance = t.Reduced("Mean", square, over, true);
  Value y = Normalized(t, x, mean, variance, scale, offset);
  y.dims = x.dims;
  return y;
}

Value Normalization(GraphText& t, const Value& x, const Layer& layer) {
  const auto weight = [&](const char* part) {
    return t.Weight(layer.result.name + "/" + part, {x.features()});
  };
  const Value scale = weight("gamma"), offset = weight("beta");
  if (layer.op == "layer_norm") {
    return LayerNorm(t, x, scale, offset);
  }
  if (layer.op == "batch_norm") {
    const Value mean = weight("moving_mean"), variance = weight("variance");
    if (x.rank() == 4) {
      return t.Node("FusedBatchNormV3", {x, scale, offset, mean, variance}, x.dims,
                    {{"is_training", "false"}, {"epsilon", "0.001"}});
    }
    return Normalized(t, x, mean, variance, scale, offset);
  }
  Dims split = x.dims, over, along(x.dims.size() + 1, 1);
  const int64_t groups = layer.Int("groups");
  split.back() = groups;
  split.push_back(x.features() / groups);
  along[along.size() - 2] = groups;
  along.back() = split.back();
  for (int64_t d = 1; d + 1 < x.rank(); ++d) over.push_back(d);
  over.push_back(x.rank());
  const auto shaped = [&](const Value& vector) {
    return t.Node("Reshape", {vector, t.Ints(along)}, along);
  };
  const Value y = Standardized(t, t.Reshaped(x, split), over, shaped(scale), shaped(offset));
  return t.Reshaped(y, x.dims);
}

Value LogSumExp(GraphText& t, const Value& x, const Layer& layer) {
  const Dims over = {layer.Axis()};
  const Value raw = t.Reduced("Max", x, over, true);
  const Value top = Evaluate("SelectV2(IsFinite(x),x,0.0)", {raw}, t);
  const Value powers = Evaluate("Exp(Sub(x,y))", {x, top}, t);
  Value sum = t.Reduced("Sum", powers, over, false);
  sum = t.Node("Log", {sum}, sum.dims);
  return t.Node("AddV2", {sum, t.Reshaped(top, sum.dims)}, sum.dims);
}

Value Reduced(GraphText& t, const Value& x, const Layer& layer) {
  if (layer.op == "reduce_logsumexp") return LogSumExp(t, x, layer);
  if (layer.op.starts_with("arg")) {
    return t.Node(layer.op == "argmax" ? "ArgMax" : "ArgMin", {x, t.Int(layer.Axis())},
                  layer.result.dims, {{"output_type", "s32"}});
  }
  const std::map<std::string, std::string> kOps = {{"reduce_sum", "Sum"},
                                                   {"reduce_mean", "Mean"},
                                                   {"reduce_max", "Max"},
                                                   {"reduce_min", "Min"},
                                                   {"reduce_prod", "Prod"}};
  return t.Reduced(kOps.at(layer.op), x, {layer.Axis()}, layer.Int("keep") == 1);
}

// Keras's MultiHeadAttention is four einsums.
Value Attention(GraphText& t, const Value& x, const Layer& layer) {
  const int64_t heads = layer.Int("heads"), depth = layer.Int("depth");
  const int64_t batch = x.dims[0], length = x.dims[1], width = x.features();
  const std::string& name = layer.result.name;
  const Dims split = {batch, length, heads, depth};
  const auto project = [&](const char* part) {
    const std::string full = name + "/" + part;
    const Value kernel = t.Weight(full + "/kernel", {width, heads, depth});
    const Value y = t.Node("Einsum", {x, kernel}, split, {{"equation", "abc,cde->abde"}});
    return t.Node("AddV2", {y, t.Weight(full + "/bias", {heads, depth})}, split);
  };
  Value q = project("query");
  const Value k = project("key"), v = project("value");
  const double scale = 1 / std::sqrt(static_cast<double>(depth));
  q = t.Node("Mul", {q, t.Number(scale, q)}, split);
  const Dims scores = {batch, heads, length, length};
  const Value weights = t.Node(
      "Softmax", {t.Node("Einsum", {k, q}, scores, {{"equation", "aecd,abcd->acbe"}})}, scores);
  const Value seen = t.Node("Einsum", {weights, v}, split, {{"equation", "acbe,aecd->abcd"}});
  const Value kernel = t.Weight(name + "/output/kernel", {heads, depth, width});
  const Value y = t.Node("Einsum", {seen, kernel}, x.dims, {{"equation", "abcd,cde->abe"}});
  return t.Node("AddV2", {y, t.Weight(name + "/output/bias", {width})}, x.dims);
}

// x[:, begin:end, ..]
Value Sliced(GraphText& t, const Value& x, const Dims& starts, const Dims& dims) {
  Dims begin = {0}, end = {0};
  for (size_t i = 0; i < starts.size(); ++i) {
    begin.push_back(starts[i]);
    end.push_back(starts[i] + dims[i + 1]);
  }
  return t.Node("StridedSlice", {x, t.Ints(begin), t.Ints(end), t.Ints(Dims(begin.size(), 1))},
                dims, {{"begin_mask", "1"}, {"end_mask", "1"}});
}

std::optional<Value> Resized(GraphText& t, const Value& x, const Layer& layer) {
  if (x.spatial() != 2) return std::nullopt;
  const Dims& dims = layer.result.dims;
  return t.Node(layer.op == "upsample" ? "ResizeNearestNeighbor" : "ResizeBilinear",
                {x, t.Ints({dims[1], dims[2]})}, dims, {{"half_pixel_centers", "true"}});
}

std::optional<Value> Arranged(GraphText& t, const std::vector<Value>& inputs, const Layer& layer) {
  const Value& x = inputs[0];
  const std::string& op = layer.op;
  const Dims& dims = layer.result.dims;
  if (op == "concat") {
    std::vector<Value> operands = inputs;
    operands.push_back(t.Int(layer.Axis()));
    return t.Node("ConcatV2", operands, dims, {{"N", std::to_string(inputs.size())}});
  }
  if (op == "transpose") {
    return t.Node("Transpose", {x, t.Ints(layer.List("perm"))}, dims);
  }
  if (op == "tile") {
    return t.Node("Tile", {x, t.Ints(layer.List("times"))}, dims);
  }
  if (op == "slice") return Sliced(t, x, layer.List("starts"), dims);
  if (op == "crop") {
    Dims starts = layer.PerDim("size");
    starts.push_back(0);
    return Sliced(t, x, starts, dims);
  }
  if (op == "zero_pad") {
    Dims around = {0};
    for (const int64_t size : layer.PerDim("size")) around.push_back(size);
    around.push_back(0);
    return t.Node("Pad", {x, t.Pairs(around, around)}, dims);
  }
  if (op == "upsample" || op == "resize") return Resized(t, x, layer);
  if (op == "reshape" || op == "flatten") return t.Reshaped(x, dims);
  return std::nullopt;  // recurrent layers are loops of many nodes
}

std::optional<Value> Ordered(GraphText& t, const Value& x, const Layer& layer) {
  const Dims& dims = layer.result.dims;
  if (layer.op == "cumsum") {
    return t.Node("Cumsum", {x, t.Int(layer.Axis())}, dims);
  }
  if (layer.op == "top_k") {
    return t.Node("TopKV2", {x, t.Int(layer.Int("k"))}, dims);
  }
  if (layer.op == "sort") {
    const Value falling = t.Node("Neg", {x}, dims);
    const Value sorted = t.Node("TopKV2", {falling, t.Int(x.features())}, dims);
    return t.Node("Neg", {sorted}, dims);
  }
  return std::nullopt;
}

std::optional<Value> Written(GraphText& t, const std::vector<Value>& inputs, const Layer& layer) {
  const Value& x = inputs[0];
  const std::string& op = layer.op;
  const Dims& dims = layer.result.dims;
  if (const Function* function = FindFunction(op)) {
    if (function->graphdef.empty()) return std::nullopt;
    Value y = Evaluate(function->graphdef, inputs, t);
    y.dims = dims;
    return y;
  }
  if (op == "dense") {
    return Dense(t, x, layer.result.name, layer.Int("units"), layer.Int("bias", 1) == 1);
  }
  if (op == "conv" || op == "depthwise") return Convolution(t, x, layer);
  if (op == "conv_transpose") return Transposed(t, x, layer);
  if (op.ends_with("_pool")) return Pool(t, x, layer);
  if (op.starts_with("global_")) {
    Dims over;
    for (int64_t d = 1; d + 1 < x.rank(); ++d) over.push_back(d);
    return t.Reduced(op == "global_avg" ? "Mean" : "Max", x, over, false);
  }
  if (op.ends_with("_norm")) return Normalization(t, x, layer);
  if (op == "softmax") return t.Node("Softmax", {x}, dims);
  if (op == "log_softmax") return t.Node("LogSoftmax", {x}, dims);
  if (op.starts_with("reduce_") || op.starts_with("arg")) {
    return Reduced(t, x, layer);
  }
  if (op == "attention") return Attention(t, x, layer);
  if (op == "embedding") {
    const Value table =
        t.Handle(layer.result.name + "/embeddings", {layer.Int("rows"), layer.Int("width")});
    return t.Node("ResourceGather", {table, x}, dims, {{"dtype", "f32"}});
  }
  if (op == "one_hot") {
    const Value like{"", {}, "f32"};
    return t.Node("OneHot", {x, t.Int(layer.Int("depth")), t.Number(1, like), t.Number(0, like)},
                  dims, {{"axis", "-1"}});
  }
  if (op == "matmul") {
    return t.Node("BatchMatMulV2", inputs, dims,
                  {{"adj_y", layer.Has("transpose") ? "true" : "false"}});
  }
  if (op == "cast") {
    return t.Node("Cast", {x}, dims, {{"SrcT", x.type}, {"DstT", layer.Word("to")}});
  }
  if (const auto ordered = Ordered(t, x, layer)) return ordered;
  return Arranged(t, inputs, layer);
}

}  // namespace

File GraphDef(const Model& model) {
  GraphText text;
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
    if (!result) return {"model.pbtxt", ""};
    values[layer.result.name] = *result;
  }
  return {"model.pbtxt", text.Text(values.at(model.output().name))};
}

}  // namespace tilewise::formats
