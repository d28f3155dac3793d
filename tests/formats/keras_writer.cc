// model.to_json() of Keras 2: layers, and functions as TFOpLambda.

#include <map>
#include <set>

#include <fmt/format.h>

#include "tests/formats/functions.h"
#include "tests/formats/writers.h"

namespace tilewise::formats {
namespace {

struct Entry {
  std::string class_name;
  std::string config;     // "\"units\": 8", without the name
  std::string arguments;  // of the call: "\"axis\": 1"
};

std::string ListText(const Dims& dims) { return "[" + Joined(dims, ", ") + "]"; }

// "units=8,name=x" as members of an object; words are quoted.
std::string Members(std::string_view text) {
  std::string members;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = item.find('=');
    const std::string_view value = item.substr(equals + 1);
    const bool is_word = value.find_first_not_of("-0123456789.") != std::string_view::npos &&
                         value != "true" && value != "false";
    members += fmt::format("{}\"{}\": {}{}{}", members.empty() ? "" : ", ", item.substr(0, equals),
                           is_word ? "\"" : "", value, is_word ? "\"" : "");
  }
  return members;
}

// "l:ReLU max_value=6.0" and the like.
Entry FunctionEntry(std::string_view text) {
  const char kind = text[0];
  text.remove_prefix(2);
  const size_t space = std::min(text.find(' '), text.size());
  const std::string name(text.substr(0, space));
  const std::string members = Members(text.substr(std::min(space + 1, text.size())));
  if (kind == 'a') {
    return {"Activation", fmt::format("\"activation\": \"{}\"", name), ""};
  }
  if (kind == 'l') return {name, members, ""};
  return {"TFOpLambda", fmt::format("\"function\": \"{}\"", name), members};
}

Entry Call(const std::string& function, const std::string& arguments) {
  return {"TFOpLambda", fmt::format("\"function\": \"{}\"", function), arguments};
}

std::string WindowMembers(const Layer& layer) {
  const bool pool = layer.Has("size");
  const Window window = WindowOf(layer);
  std::string text = fmt::format("\"{}\": {}, \"strides\": {}, \"padding\": \"{}\"",
                                 pool ? "pool_size" : "kernel_size", ListText(window.sizes),
                                 ListText(window.strides), layer.Same() ? "same" : "valid");
  if (!pool) text += ", \"dilation_rate\": " + ListText(window.dilations);
  return text;
}

std::string Bias(const Layer& layer) {
  return fmt::format(", \"use_bias\": {}", layer.Int("bias", 1) == 1 ? "true" : "false");
}

std::optional<Entry> Windowed(const Layer& layer) {
  const std::string n = fmt::format("{}D", layer.x().spatial());
  const std::string& op = layer.op;
  const std::string filters = ", \"filters\": " + layer.Word("filters");
  if (op == "conv") {
    return Entry{"Conv" + n,
                 WindowMembers(layer) + filters + Bias(layer) +
                     fmt::format(", \"groups\": {}", layer.Int("groups", 1)),
                 ""};
  }
  if (op == "depthwise") {
    return Entry{"DepthwiseConv" + n,
                 WindowMembers(layer) + Bias(layer) +
                     fmt::format(", \"depth_multiplier\": {}", layer.Int("multiplier", 1)),
                 ""};
  }
  if (op == "conv_transpose") {
    return Entry{"Conv" + n + "Transpose", WindowMembers(layer) + filters, ""};
  }
  if (op == "max_pool") return Entry{"MaxPooling" + n, WindowMembers(layer), ""};
  if (op == "avg_pool") {
    return Entry{"AveragePooling" + n, WindowMembers(layer), ""};
  }
  if (op == "global_avg") return Entry{"GlobalAveragePooling" + n, "", ""};
  if (op == "global_max") return Entry{"GlobalMaxPooling" + n, "", ""};
  const std::string amounts = ListText(layer.PerDim("size"));
  if (op == "zero_pad") {
    return Entry{"ZeroPadding" + n, "\"padding\": " + amounts, ""};
  }
  if (op == "crop") return Entry{"Cropping" + n, "\"cropping\": " + amounts, ""};
  const std::string size = "\"size\": " + amounts;
  if (op == "upsample") return Entry{"UpSampling" + n, size, ""};
  if (op == "resize") {
    return Entry{"UpSampling" + n, size + ", \"interpolation\": \"bilinear\"", ""};
  }
  return std::nullopt;
}

std::optional<Entry> Normalization(const Layer& layer) {
  const std::string epsilon = ", \"epsilon\": 0.001";
  if (layer.op == "batch_norm") {
    return Entry{"BatchNormalization", "\"axis\": [-1]" + epsilon, ""};
  }
  if (layer.op == "layer_norm") {
    return Entry{"LayerNormalization", "\"axis\": [-1]" + epsilon, ""};
  }
  if (layer.op == "group_norm") {
    return Entry{"GroupNormalization",
                 "\"axis\": -1, \"groups\": " + layer.Word("groups") + epsilon, ""};
  }
  return std::nullopt;
}

// An index of begin:end for each dim but the batch.
std::string SliceSpec(const Layer& layer) {
  const Dims starts = layer.List("starts");
  std::string spec = "{\"start\": null, \"stop\": null, \"step\": null}";
  for (size_t i = 0; i < starts.size(); ++i) {
    spec += fmt::format(", {{\"start\": {}, \"stop\": {}, \"step\": null}}", starts[i],
                        starts[i] + layer.result.dims[i + 1]);
  }
  return "\"slice_spec\": [" + spec + "]";
}

std::optional<Entry> Arranged(const Layer& layer) {
  const std::string& op = layer.op;
  const std::string axis = fmt::format("\"axis\": {}", layer.Axis());
  if (op == "concat") return Entry{"Concatenate", axis, ""};
  if (op == "flatten") return Entry{"Flatten", "", ""};
  if (op == "reshape") {
    return Entry{"Reshape", "\"target_shape\": " + ListText(layer.List("to")), ""};
  }
  if (op == "transpose") {
    Dims order = layer.List("perm");
    order.erase(order.begin());
    return Entry{"Permute", "\"dims\": " + ListText(order), ""};
  }
  if (op == "tile") {
    return Call("tile", "\"multiples\": " + ListText(layer.List("times")));
  }
  if (op == "slice") {
    return Entry{"SlicingOpLambda", "\"function\": \"__operators__.getitem\"", SliceSpec(layer)};
  }
  return std::nullopt;
}

std::optional<Entry> Recurrent(const Layer& layer) {
  const std::map<std::string, std::string> kClasses = {
      {"lstm", "LSTM"}, {"gru", "GRU"}, {"simple_rnn", "SimpleRNN"}};
  const auto found = kClasses.find(layer.op);
  if (found == kClasses.end()) return std::nullopt;
  std::string config =
      fmt::format("\"units\": {}, \"activation\": \"tanh\", \"return_sequences\": {}",
                  layer.Int("units"), layer.Int("sequences") == 1 ? "true" : "false");
  if (layer.op == "gru") config += ", \"reset_after\": true";
  return Entry{found->second, config, ""};
}

std::optional<Entry> EntryOf(const Layer& layer) {
  const std::string& op = layer.op;
  const std::string axis = fmt::format("\"axis\": {}", layer.Axis());
  if (const Function* function = FindFunction(op)) {
    if (function->keras.empty()) return std::nullopt;
    return FunctionEntry(function->keras);
  }
  if (op == "dense") {
    return Entry{"Dense", "\"units\": " + layer.Word("units") + Bias(layer), ""};
  }
  if (op == "embedding") {
    return Entry{
        "Embedding",
        fmt::format("\"input_dim\": {}, \"output_dim\": {}", layer.Int("rows"), layer.Int("width")),
        ""};
  }
  if (op == "attention") {
    return Entry{
        "MultiHeadAttention",
        fmt::format("\"num_heads\": {}, \"key_dim\": {}", layer.Int("heads"), layer.Int("depth")),
        ""};
  }
  if (op == "softmax") return Entry{"Softmax", axis, ""};
  if (op == "log_softmax") return Call("nn.log_softmax", axis);
  if (op == "cumsum") return Call("math.cumsum", axis);
  if (op == "sort") return Call("sort", axis);
  if (op == "top_k") return Call("math.top_k", "\"k\": " + layer.Word("k"));
  if (op == "one_hot") return Call("one_hot", "\"depth\": " + layer.Word("depth"));
  if (op == "cast") {
    return Call("cast",
                layer.Word("to") == "s32" ? "\"dtype\": \"int32\"" : "\"dtype\": \"float32\"");
  }
  if (op == "matmul") {
    return Call("linalg.matmul", layer.Has("transpose") ? "\"transpose_b\": true" : "");
  }
  if (op.starts_with("arg")) return Call("math." + op, axis);
  if (op.starts_with("reduce_")) {
    return Call("math." + op, axis + (layer.Int("keep") == 1 ? ", \"keepdims\": true" : ""));
  }
  if (const auto entry = Windowed(layer)) return entry;
  if (const auto entry = Normalization(layer)) return entry;
  if (const auto entry = Arranged(layer)) return entry;
  return Recurrent(layer);
}

// Layers that are called on a list of tensors.
bool TakesList(const std::string& class_name) {
  static const std::set<std::string> kNames = {"Add",     "Subtract", "Multiply",   "Maximum",
                                               "Minimum", "Average",  "Concatenate"};
  return kNames.contains(class_name);
}

// A call on tensors: layers are given a list of them, functions their first one
// and the others by keyword.
std::string Inbound(const Layer& layer, const Entry& entry) {
  const auto node = [](const Value& value, const std::string& arguments) {
    return fmt::format("[\"{}\", 0, 0, {{{}}}]", value.name, arguments);
  };
  if (entry.class_name == "MultiHeadAttention") {
    const std::string& x = layer.x().name;
    return fmt::format("[[{}]]", node(layer.x(), fmt::format("\"value\": [\"{}\", 0, 0]", x)));
  }
  if (TakesList(entry.class_name)) {
    std::string nodes;
    for (const Value& input : layer.inputs) {
      nodes += (nodes.empty() ? "" : ", ") + node(input, "");
    }
    return "[[" + nodes + "]]";
  }
  std::string arguments = entry.arguments;
  const auto add = [&](const char* key, const Value& value) {
    arguments +=
        fmt::format("{}\"{}\": [\"{}\", 0, 0]", arguments.empty() ? "" : ", ", key, value.name);
  };
  const bool is_choice = layer.inputs.size() == 3;
  if (is_choice) {
    add("x", layer.inputs[1]);
    add("y", layer.inputs[2]);
  } else if (layer.inputs.size() == 2) {
    add(layer.op == "matmul" ? "b" : "y", layer.inputs[1]);
  }
  const bool is_layer = !entry.class_name.ends_with("OpLambda");
  return (is_layer ? "[[" : "[") + node(layer.x(), arguments) + (is_layer ? "]]" : "]");
}

std::string LayerText(const std::string& class_name, const std::string& name,
                      const std::string& config, const std::string& inbound) {
  return fmt::format(
      "  {{\"class_name\": \"{0}\", \"name\": \"{1}\", \"config\": {{\"name\": "
      "\"{1}\", \"trainable\": true, \"dtype\": \"float32\"{2}{3}}}, "
      "\"inbound_nodes\": {4}}}",
      class_name, name, config.empty() ? "" : ", ", config, inbound);
}

std::string InputText(const Value& input) {
  Dims example(input.dims.begin() + 1, input.dims.end());
  const std::string type = input.type == "s32"    ? "int32"
                           : input.type == "pred" ? "bool"
                                                  : "float32";
  return fmt::format(
      "  {{\"class_name\": \"InputLayer\", \"name\": \"{0}\", \"config\": "
      "{{\"name\": \"{0}\", \"batch_input_shape\": [null{1}{2}], \"dtype\": "
      "\"{3}\"}}, \"inbound_nodes\": []}}",
      input.name, example.empty() ? "" : ", ", Joined(example, ", "), type);
}

}  // namespace

File KerasJson(const Model& model) {
  std::string layers, inputs;
  for (const Layer& layer : model.layers) {
    layers += layers.empty() ? "" : ",\n";
    if (layer.op == "input") {
      layers += InputText(layer.result);
      inputs += fmt::format("{}[\"{}\", 0, 0]", inputs.empty() ? "" : ", ", layer.result.name);
      continue;
    }
    const std::optional<Entry> entry = EntryOf(layer);
    if (!entry) return {"model.json", ""};
    layers +=
        LayerText(entry->class_name, layer.result.name, entry->config, Inbound(layer, *entry));
  }
  return {"model.json", fmt::format("{{\"class_name\": \"Functional\", \"keras_version\": "
                                    "\"2.9.0\", \"backend\": \"tensorflow\", \"config\": "
                                    "{{\"name\": \"model\", \"layers\": [\n{}],\n "
                                    "\"input_layers\": [{}], \"output_layers\": [[\"{}\", 0, "
                                    "0]]}}}}\n",
                                    layers, inputs, model.output().name)};
}

}  // namespace tilewise::formats
