// Lines are words between spaces; shapes follow from the ops.

#include "tests/formats/model.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/formats/functions.h"

namespace tilewise::formats {
namespace {

std::vector<std::string> Words(const std::string& text, char between) {
  std::vector<std::string> words;
  std::stringstream stream(text);
  std::string word;
  while (std::getline(stream, word, between)) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

Dims Numbers(const std::string& text) {
  Dims numbers;
  for (const std::string& word : Words(text, ',')) {
    numbers.push_back(std::stoll(word));
  }
  return numbers;
}

bool IsOneOf(const std::string& op, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

// Sizes of the result of a window at each place.
Dims Places(const Layer& layer, int64_t features) {
  const Window window = WindowOf(layer);
  Dims dims = {layer.x().dims[0]};
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    const int64_t size = layer.x().dims[i + 1] + window.low[i] + window.high[i];
    const int64_t reach = (window.sizes[i] - 1) * window.dilations[i] + 1;
    dims.push_back((size - reach) / window.strides[i] + 1);
  }
  dims.push_back(features);
  return dims;
}

Dims Transposed(const Layer& layer) {
  const Window window = WindowOf(layer);
  Dims dims = layer.x().dims;
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    dims[i + 1] *= window.strides[i];
    if (!layer.Same()) {
      dims[i + 1] += std::max<int64_t>(window.sizes[i] - window.strides[i], 0);
    }
  }
  dims.back() = layer.Int("filters");
  return dims;
}

Dims Reduced(const Layer& layer) {
  Dims dims = layer.x().dims;
  const auto axis = dims.begin() + layer.Axis();
  if (layer.Int("keep") == 1) {
    *axis = 1;
  } else {
    dims.erase(axis);
  }
  return dims;
}

Dims Broadcast(const Layer& layer) {
  Dims dims;
  for (const Value& input : layer.inputs) {
    Dims other = input.dims;
    if (other.size() > dims.size()) dims.swap(other);
    for (size_t i = 0; i < other.size(); ++i) {
      int64_t& dim = dims[dims.size() - other.size() + i];
      dim = std::max(dim, other[i]);
    }
  }
  return dims;
}

Dims Grown(const Layer& layer, int64_t sign) {
  Dims dims = layer.x().dims;
  const Dims sizes = layer.PerDim("size");
  for (size_t i = 0; i < sizes.size(); ++i) dims[i + 1] += sign * 2 * sizes[i];
  return dims;
}

Dims Scaled(const Layer& layer) {
  Dims dims = layer.x().dims;
  const Dims sizes = layer.PerDim("size");
  for (size_t i = 0; i < sizes.size(); ++i) dims[i + 1] *= sizes[i];
  return dims;
}

Dims Multiplied(const Layer& layer) {
  Dims dims = layer.x().dims;
  const Dims& other = layer.inputs[1].dims;
  dims.back() = layer.Has("transpose") ? other[other.size() - 2] : other.back();
  return dims;
}

Dims Joint(const Layer& layer) {
  Dims dims = layer.x().dims;
  const size_t axis = layer.Axis();
  for (size_t i = 1; i < layer.inputs.size(); ++i) {
    dims[axis] += layer.inputs[i].dims[axis];
  }
  return dims;
}

Dims WithLast(const Layer& layer, int64_t size) {
  Dims dims = layer.x().dims;
  dims.back() = size;
  return dims;
}

Dims Appended(Dims dims, const Dims& more) {
  dims.insert(dims.end(), more.begin(), more.end());
  return dims;
}

Dims Permuted(const Layer& layer) {
  Dims dims;
  for (const int64_t d : layer.List("perm")) {
    dims.push_back(layer.x().dims[d]);
  }
  return dims;
}

Dims ShapeOf(const Layer& layer) {
  const std::string& op = layer.op;
  const Dims batch = {layer.x().dims[0]};
  if (op == "dense") return WithLast(layer, layer.Int("units"));
  if (op == "conv") return Places(layer, layer.Int("filters"));
  if (op == "depthwise") {
    return Places(layer, layer.x().features() * layer.Int("multiplier", 1));
  }
  if (IsOneOf(op, {"max_pool", "avg_pool"})) {
    return Places(layer, layer.x().features());
  }
  if (op == "conv_transpose") return Transposed(layer);
  if (IsOneOf(op, {"global_avg", "global_max"})) {
    return {batch[0], layer.x().features()};
  }
  if (op == "embedding") {
    return Appended(layer.x().dims, {layer.Int("width")});
  }
  if (op == "one_hot") return Appended(layer.x().dims, {layer.Int("depth")});
  if (IsOneOf(op, {"lstm", "gru", "simple_rnn"})) {
    if (layer.Int("sequences") == 1) return WithLast(layer, layer.Int("units"));
    return {batch[0], layer.Int("units")};
  }
  if (op.starts_with("reduce_") || op.starts_with("arg")) return Reduced(layer);
  if (op == "concat") return Joint(layer);
  if (op == "slice") return Appended(batch, layer.List("sizes"));
  if (op == "zero_pad") return Grown(layer, 1);
  if (op == "crop") return Grown(layer, -1);
  if (IsOneOf(op, {"upsample", "resize"})) return Scaled(layer);
  if (op == "reshape") return Appended(batch, layer.List("to"));
  if (op == "flatten") {
    return {batch[0], Elements(layer.x().dims) / batch[0]};
  }
  if (op == "transpose") return Permuted(layer);
  if (op == "tile") return Product(layer.x().dims, layer.List("times"));
  if (op == "matmul") return Multiplied(layer);
  if (op == "top_k") return WithLast(layer, layer.Int("k"));
  return Broadcast(layer);
}

std::string TypeOf(const Layer& layer) {
  if (layer.op == "cast") return layer.Word("to");
  if (layer.op.starts_with("arg")) return "s32";
  if (layer.op == "embedding" || layer.op == "one_hot") return "f32";
  if (const Function* function = FindFunction(layer.op)) {
    if (!function->result.empty()) return std::string(function->result);
  }
  return layer.inputs.back().type;
}

Layer ParseLine(const std::vector<std::string>& words, const std::map<std::string, Value>& values) {
  Layer layer;
  if (words.size() < 3 || words[1] != "=") {
    throw std::invalid_argument("a line without an op");
  }
  layer.result.name = words[0];
  layer.op = words[2];
  for (size_t i = 3; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    if (equals != std::string::npos) {
      layer.attrs[words[i].substr(0, equals)] = words[i].substr(equals + 1);
    } else if (layer.op == "input") {
      layer.result.dims = Appended({kBatch}, Numbers(words[i]));
    } else {
      layer.inputs.push_back(values.at(words[i]));
    }
  }
  if (layer.op == "input") {
    if (layer.result.dims.empty()) layer.result.dims = {kBatch};
    layer.result.type = layer.Word("type", "f32");
  } else {
    layer.result.dims = ShapeOf(layer);
    layer.result.type = TypeOf(layer);
  }
  return layer;
}

}  // namespace

std::string Layer::Word(const std::string& key, std::string otherwise) const {
  const auto found = attrs.find(key);
  return found == attrs.end() ? otherwise : found->second;
}

int64_t Layer::Int(const std::string& key, int64_t otherwise) const {
  return Has(key) ? std::stoll(attrs.at(key)) : otherwise;
}

double Layer::Float(const std::string& key, double otherwise) const {
  return Has(key) ? std::stod(attrs.at(key)) : otherwise;
}

Dims Layer::List(const std::string& key) const { return Numbers(Word(key)); }

Dims Layer::PerDim(const std::string& key, int64_t otherwise) const {
  const size_t dims = x().spatial();
  Dims list = Has(key) ? List(key) : Dims{otherwise};
  if (list.size() == 1) list.resize(dims, list[0]);
  return list;
}

int64_t Layer::Axis() const {
  const int64_t axis = Int("axis", -1);
  return axis < 0 ? axis + x().rank() : axis;
}

Window WindowOf(const Layer& layer) {
  const bool pool = layer.Has("size");
  Window window;
  window.sizes = layer.PerDim(pool ? "size" : "kernel");
  window.strides = pool && !layer.Has("strides") ? window.sizes : layer.PerDim("strides");
  window.dilations = layer.PerDim("dilation");
  window.low.resize(window.sizes.size());
  window.high.resize(window.sizes.size());
  if (!layer.Same()) return window;
  for (size_t i = 0; i < window.sizes.size(); ++i) {
    const int64_t size = layer.x().dims[i + 1];
    const int64_t stride = window.strides[i];
    const int64_t reach = (window.sizes[i] - 1) * window.dilations[i] + 1;
    const int64_t places = (size + stride - 1) / stride;
    const int64_t pad = std::max<int64_t>((places - 1) * stride + reach - size, 0);
    window.low[i] = pad / 2;
    window.high[i] = pad - pad / 2;
  }
  return window;
}

Model ParseModel(std::string_view name, std::string_view text) {
  Model model;
  model.name = name;
  std::string lines(text);
  std::replace(lines.begin(), lines.end(), ';', '\n');
  std::map<std::string, Value> values;
  for (const std::string& line : Words(lines, '\n')) {
    const std::vector<std::string> words = Words(line, ' ');
    if (words.empty()) continue;
    model.layers.push_back(ParseLine(words, values));
    values[words[0]] = model.layers.back().result;
  }
  return model;
}

Dims Product(const Dims& a, const Dims& b) {
  Dims product = a;
  for (size_t i = 0; i < a.size(); ++i) product[i] *= b[i];
  return product;
}

int64_t Elements(const Dims& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) product *= dim;
  return product;
}

std::string Joined(const Dims& dims, std::string_view between) {
  return fmt::format("{}", fmt::join(dims, between));
}

}  // namespace tilewise::formats
