// Layers as TF2XLA and JAX export them.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "tests/formats/writers.h"
#include "tests/formats/xla_program.h"

namespace tilewise::formats {
namespace {

// Adds a vector along the last dim.
Value AddBias(XlaProgram& p, const Value& y, const std::string& name) {
  const Value bias = p.Weight(name + ".bias", {y.features()});
  return p.Binary("add", y, p.Broadcast(bias, y.dims, {y.rank() - 1}));
}

Value Dense(XlaProgram& p, const Value& x, const std::string& name, int64_t units, bool bias) {
  const Value kernel = p.Weight(name + ".kernel", {x.features(), units});
  const Value y = p.Dot(x, kernel, {{}, {}, {x.rank() - 1}, {0}});
  return bias ? AddBias(p, y, name) : y;
}

Value Convolution(XlaProgram& p, const Value& x, const Layer& layer) {
  const bool depthwise = layer.op == "depthwise";
  const Window window = WindowOf(layer);
  const int64_t groups = depthwise ? x.features() : layer.Int("groups", 1);
  Dims kernel = window.sizes;
  kernel.push_back(x.features() / groups);
  kernel.push_back(layer.result.features());
  const std::string& name = layer.result.name;
  const Value y = p.Convolution(x, p.Weight(name + ".kernel", kernel), window, groups,
                                Dims(window.sizes.size(), 1), false);
  return layer.Int("bias", 1) == 1 ? AddBias(p, y, name) : y;
}

// A convolution of the input with zeros between its elements.
Value Transposed(XlaProgram& p, const Value& x, const Layer& layer) {
  Window window = WindowOf(layer);
  const size_t n = window.sizes.size();
  Dims kernel = window.sizes, spatial;
  kernel.push_back(layer.Int("filters"));
  kernel.push_back(x.features());
  for (size_t i = 0; i < n; ++i) {
    spatial.push_back(static_cast<int64_t>(i));
    const int64_t size = window.sizes[i], stride = window.strides[i];
    const int64_t cut = layer.Same() ? std::max<int64_t>(size - stride, 0) : 0;
    const int64_t grown = (x.dims[i + 1] - 1) * stride + 1;
    window.low[i] = size - 1 - cut / 2;
    window.high[i] = layer.result.dims[i + 1] + size - 1 - grown - window.low[i];
  }
  const Dims dilated = window.strides;
  window.strides.assign(n, 1);
  const std::string& name = layer.result.name;
  const Value mirrored = p.Reverse(p.Weight(name + ".kernel", kernel), spatial);
  const Value y = p.Convolution(x, mirrored, window, 1, dilated, true);
  return AddBias(p, y, name);
}

Window OverAllDims(const Window& spatial) {
  Window window;
  const auto widen = [](const Dims& dims, int64_t outside) {
    Dims wide = {outside};
    wide.insert(wide.end(), dims.begin(), dims.end());
    wide.push_back(outside);
    return wide;
  };
  window.sizes = widen(spatial.sizes, 1);
  window.strides = widen(spatial.strides, 1);
  window.dilations = widen(spatial.dilations, 1);
  window.low = widen(spatial.low, 0);
  window.high = widen(spatial.high, 0);
  return window;
}

Value Pool(XlaProgram& p, const Value& x, const Layer& layer) {
  const Window window = OverAllDims(WindowOf(layer));
  if (layer.op == "max_pool") return p.ReduceWindow("maximum", x, window);
  const Value sum = p.ReduceWindow("add", x, window);
  if (!layer.Same()) {
    return p.With("divide", sum, static_cast<double>(Elements(window.sizes)));
  }
  // Of one example and feature, as flax and TF2XLA count.
  Value one = x;
  one.dims.front() = one.dims.back() = 1;
  return p.Binary("divide", sum, p.ReduceWindow("add", p.Number(1, one), window));
}

// With the reduced dim kept as one of size 1.
Value Mean(XlaProgram& p, const Value& x, const Dims& over) {
  double count = 1;
  Dims kept = x.dims;
  for (const int64_t d : over) {
    count *= static_cast<double>(kept[d]);
    kept[d] = 1;
  }
  return p.Reshape(p.With("divide", p.Reduce("add", x, over), count), kept);
}

// The variance is E[x^2] - E[x]^2 when `fast`: one pass over x.
Value Standardized(XlaProgram& p, const Value& x, const Dims& over, bool fast) {
  const Value mean = Mean(p, x, over);
  const Value centred = p.Binary("subtract", x, mean);
  const Value& squared = fast ? x : centred;
  Value variance = Mean(p, p.Binary("multiply", squared, squared), over);
  if (fast) variance = p.Binary("subtract", variance, p.Binary("multiply", mean, mean));
  const Value root = p.Unary("rsqrt", p.With("add", variance, 1e-3));
  return p.Binary("multiply", centred, root);
}

Value WithScaleAndOffset(XlaProgram& p, const Value& x, const std::string& name) {
  const Value scale = p.Weight(name + ".gamma", {x.features()});
  const Dims last = {x.rank() - 1};
  const Value y = p.Binary("multiply", x, p.Broadcast(scale, x.dims, last));
  const Value offset = p.Weight(name + ".beta", {x.features()});
  return p.Binary("add", y, p.Broadcast(offset, x.dims, last));
}

Value Normalization(XlaProgram& p, const Value& x, const Layer& layer) {
  const std::string& name = layer.result.name;
  if (layer.op == "batch_norm") {
    const Dims size = {x.features()};
    return p.BatchNormInference(
        {x, p.Weight(name + ".gamma", size), p.Weight(name + ".beta", size),
         p.Weight(name + ".mean", size), p.Weight(name + ".variance", size)},
        1e-3);
  }
  if (layer.op == "layer_norm") {
    // Flax and TF2XLA take both moments at once.
    return WithScaleAndOffset(p, Standardized(p, x, {x.rank() - 1}, true), name);
  }
  Dims split = x.dims, over;
  split.back() = layer.Int("groups");
  split.push_back(x.features() / layer.Int("groups"));
  for (int64_t d = 1; d + 1 < x.rank(); ++d) over.push_back(d);
  over.push_back(x.rank());
  const Value y = Standardized(p, p.Reshape(x, split), over, false);
  return WithScaleAndOffset(p, p.Reshape(y, x.dims), name);
}

Value Softmax(XlaProgram& p, const Value& x, int64_t axis, bool logarithm) {
  Dims kept = x.dims;
  kept[axis] = 1;
  const Value top = p.Reshape(p.Reduce("maximum", x, {axis}), kept);
  const Value shifted = p.Binary("subtract", x, top);
  const Value powers = p.Unary("exponential", shifted);
  Value sum = p.Reshape(p.Reduce("add", powers, {axis}), kept);
  if (!logarithm) return p.Binary("divide", powers, sum);
  return p.Binary("subtract", shifted, p.Unary("log", sum));
}

Value Reduced(XlaProgram& p, const Value& x, const Layer& layer) {
  const std::map<std::string, std::string> kOps = {{"reduce_sum", "add"},
                                                   {"reduce_mean", "add"},
                                                   {"reduce_max", "maximum"},
                                                   {"reduce_min", "minimum"},
                                                   {"reduce_prod", "multiply"}};
  const int64_t axis = layer.Axis();
  const Dims& dims = layer.result.dims;
  if (layer.op.starts_with("arg")) {
    return p.Reshape(p.ArgReduce(layer.op == "argmax", x, axis), dims);
  }
  if (layer.op == "reduce_logsumexp") {
    Dims kept = x.dims;
    kept[axis] = 1;
    const Value top = p.Reshape(p.Reduce("maximum", x, {axis}), kept);
    const Value powers = p.Unary("exponential", p.Binary("subtract", x, top));
    const Value sum = p.Unary("log", p.Reduce("add", powers, {axis}));
    return p.Reshape(p.Binary("add", sum, p.Reshape(top, sum.dims)), dims);
  }
  Value y = p.Reduce(kOps.at(layer.op), x, {axis});
  if (layer.op == "reduce_mean") {
    y = p.With("divide", y, static_cast<double>(x.dims[axis]));
  }
  return p.Reshape(y, dims);
}

// Flax's, with heads apart in the weights.
Value Attention(XlaProgram& p, const Value& x, const Layer& layer) {
  const int64_t heads = layer.Int("heads"), depth = layer.Int("depth");
  const std::string& name = layer.result.name;
  const auto project = [&](const char* part) {
    const std::string full = name + "." + part;
    const Value kernel = p.Weight(full + ".kernel", {x.features(), heads, depth});
    const Value y = p.Dot(x, kernel, {{}, {}, {2}, {0}});
    const Value bias = p.Weight(full + ".bias", {heads, depth});
    return p.Binary("add", y, p.Broadcast(bias, y.dims, {2, 3}));
  };
  Value q = project("query");
  const Value k = project("key"), v = project("value");
  q = p.With("multiply", q, 1 / std::sqrt(static_cast<double>(depth)));
  const Value scores = p.Dot(q, k, {{0, 2}, {0, 2}, {3}, {3}});
  const Value weights = Softmax(p, scores, 3, false);
  const Value seen = p.Dot(weights, v, {{0, 1}, {0, 2}, {3}, {1}});
  const Value kernel = p.Weight(name + ".output.kernel", {heads, depth, x.features()});
  const Value y = p.Dot(p.Transpose(seen, {0, 2, 1, 3}), kernel, {{}, {}, {2, 3}, {0, 1}});
  return AddBias(p, y, name + ".output");
}

// `times` along `axis`: each element one after the other, or the whole.
Value Repeated(XlaProgram& p, const Value& x, size_t axis, int64_t times, bool whole) {
  const size_t at = whole ? axis : axis + 1;
  Dims wide = x.dims, mapping;
  wide.insert(wide.begin() + static_cast<int64_t>(at), times);
  for (size_t d = 0; d < x.dims.size(); ++d) {
    mapping.push_back(static_cast<int64_t>(d < at ? d : d + 1));
  }
  Dims dims = x.dims;
  dims[axis] *= times;
  return p.Reshape(p.Broadcast(x, wide, mapping), dims);
}

Value Tiled(XlaProgram& p, Value x, const Dims& times) {
  for (size_t d = 0; d < times.size(); ++d) {
    if (times[d] != 1) x = Repeated(p, x, d, times[d], true);
  }
  return x;
}

Value Arranged(XlaProgram& p, const std::vector<Value>& inputs, const Layer& layer) {
  const Value& x = inputs[0];
  const Dims& dims = layer.result.dims;
  if (layer.op == "concat") return p.Concatenate(inputs, layer.Axis());
  if (layer.op == "transpose") return p.Transpose(x, layer.List("perm"));
  if (layer.op == "tile") return Tiled(p, x, layer.List("times"));
  if (layer.op == "zero_pad" || layer.op == "crop") {
    Dims around = {0};
    for (const int64_t size : layer.PerDim("size")) around.push_back(size);
    around.push_back(0);
    if (layer.op == "zero_pad") return p.Pad(x, around, around);
    return p.Slice(x, around, dims);
  }
  if (layer.op == "slice") {
    Dims starts = {0};
    for (const int64_t start : layer.List("starts")) starts.push_back(start);
    return p.Slice(x, starts, dims);
  }
  if (layer.op == "upsample") {
    Value y = x;
    const Dims sizes = layer.PerDim("size");
    for (size_t i = 0; i < sizes.size(); ++i) {
      y = Repeated(p, y, i + 1, sizes[i], false);
    }
    return y;
  }
  return p.Reshape(x, dims);  // reshape, flatten
}

Value CumulativeSum(XlaProgram& p, const Value& x, int64_t axis) {
  Window window;
  window.sizes = window.strides = window.dilations = Dims(x.dims.size(), 1);
  window.low = window.high = Dims(x.dims.size(), 0);
  window.sizes[axis] = x.dims[axis];
  window.low[axis] = x.dims[axis] - 1;
  return p.ReduceWindow("add", x, window);
}

Value OneHot(XlaProgram& p, const Value& ids, const Layer& layer) {
  const Dims& dims = layer.result.dims;
  Dims mapping;
  for (int64_t d = 0; d < ids.rank(); ++d) mapping.push_back(d);
  const Value wide = p.Broadcast(ids, dims, mapping);
  const Value hit = p.Call("compare", {wide, p.Iota(dims, ids.rank())}, {{"direction", "EQ"}});
  return p.Convert(hit, "f32");
}

Value Product(XlaProgram& p, const std::vector<Value>& inputs, const Layer& layer) {
  const Value& x = inputs[0];
  XlaProgram::Contraction over;
  for (int64_t d = 0; d + 2 < x.rank(); ++d) over.lhs_batch.push_back(d);
  over.rhs_batch = over.lhs_batch;
  over.lhs = {x.rank() - 1};
  over.rhs = {layer.Has("transpose") ? x.rank() - 1 : x.rank() - 2};
  return p.Dot(x, inputs[1], over);
}

// Nothing where neither framework exports one program for the layer.
std::optional<Value> Written(XlaProgram& p, const std::vector<Value>& inputs, const Layer& layer) {
  const Value& x = inputs[0];
  const std::string& op = layer.op;
  if (const Function* function = FindFunction(op)) {
    if (function->xla.empty()) return std::nullopt;
    return Evaluate(function->xla, inputs, p);
  }
  if (op == "dense") {
    return Dense(p, x, layer.result.name, layer.Int("units"), layer.Int("bias", 1) == 1);
  }
  if (op == "conv" || op == "depthwise") return Convolution(p, x, layer);
  if (op == "conv_transpose") return Transposed(p, x, layer);
  if (op == "max_pool" || op == "avg_pool") return Pool(p, x, layer);
  if (op == "global_avg" || op == "global_max") {
    Dims over;
    for (int64_t d = 1; d + 1 < x.rank(); ++d) over.push_back(d);
    if (op == "global_max") return p.Reduce("maximum", x, over);
    return p.Reshape(Mean(p, x, over), layer.result.dims);
  }
  if (op.ends_with("_norm")) return Normalization(p, x, layer);
  if (op == "softmax") return Softmax(p, x, layer.Axis(), false);
  if (op == "log_softmax") return Softmax(p, x, layer.Axis(), true);
  if (op.starts_with("reduce_") || op.starts_with("arg")) {
    return Reduced(p, x, layer);
  }
  if (op == "attention") return Attention(p, x, layer);
  if (op == "embedding") {
    const Dims dims = {layer.Int("rows"), layer.Int("width")};
    return p.TakeRows(p.Weight(layer.result.name + ".embedding", dims), x);
  }
  if (op == "one_hot") return OneHot(p, x, layer);
  if (op == "cumsum") return CumulativeSum(p, x, layer.Axis());
  if (op == "matmul") return Product(p, inputs, layer);
  if (op == "cast") return p.Convert(x, layer.Word("to"));
  if (op == "sort") return p.Sort(x, layer.Axis());
  if (op == "top_k") return p.TopK(x, layer.Int("k"));
  constexpr std::array<std::string_view, 8> kArranged = {
      "concat", "transpose", "tile", "zero_pad", "crop", "slice", "reshape", "flatten"};
  if (std::ranges::find(kArranged, op) != kArranged.end() || op == "upsample") {
    return Arranged(p, inputs, layer);
  }
  return std::nullopt;
}

std::optional<Value> WriteProgram(const Model& model, XlaProgram& program) {
  std::map<std::string, Value> values;
  for (const Layer& layer : model.layers) {
    std::vector<Value> inputs;
    for (const Value& input : layer.inputs) {
      inputs.push_back(values.at(input.name));
    }
    const std::optional<Value> result =
        layer.op == "input" ? program.Input(layer.result) : Written(program, inputs, layer);
    if (!result) return std::nullopt;
    values[layer.result.name] = *result;
  }
  return values.at(model.output().name);
}

}  // namespace

File StableHlo(const Model& model) {
  XlaProgram program;
  const std::optional<Value> result = WriteProgram(model, program);
  return {"model.mlir", result ? program.Mlir(*result) : ""};
}

File HloText(const Model& model) {
  XlaProgram program;
  const std::optional<Value> result = WriteProgram(model, program);
  const bool says = result && program.hlo_says();
  return {"model.hlo", says ? program.Hlo(*result) : ""};
}

}  // namespace tilewise::formats
