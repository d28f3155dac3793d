// One line at a time, words between spaces.

#include "tests/onnx/model_text.h"

#include <sstream>
#include <stdexcept>
#include <vector>

namespace tilewise {
namespace {

using onnx_format::AttributeProto;
using onnx_format::GraphProto;
using onnx_format::ModelProto;
using onnx_format::NodeProto;
using onnx_format::TensorProto;
using onnx_format::ValueInfoProto;

std::vector<std::string> Words(const std::string& text, char between) {
  std::vector<std::string> words;
  std::stringstream stream(text);
  std::string word;
  while (std::getline(stream, word, between)) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

TensorProto::DataType TypeOf(const std::string& name) {
  if (name == "f32") return TensorProto::FLOAT;
  if (name == "f16") return TensorProto::FLOAT16;
  if (name == "s64") return TensorProto::INT64;
  if (name == "s32") return TensorProto::INT32;
  if (name == "u8") return TensorProto::UINT8;
  if (name == "s8") return TensorProto::INT8;
  if (name == "pred") return TensorProto::BOOL;
  if (name == "string") return TensorProto::STRING;
  throw std::invalid_argument("unknown type " + name);
}

bool IsNumber(const std::string& text) {
  return text.find_first_not_of("-0123456789") == std::string::npos;
}

void SetType(ValueInfoProto& info, const std::vector<std::string>& words) {
  info.set_name(words.at(1));
  auto* tensor = info.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(TypeOf(words.at(2)));
  auto* shape = tensor->mutable_shape();
  if (words.size() < 4) return;
  for (const std::string& dim : Words(words[3], ',')) {
    if (IsNumber(dim)) {
      shape->add_dim()->set_dim_value(std::stoll(dim));
    } else if (dim == "?") {
      shape->add_dim();
    } else {
      shape->add_dim()->set_dim_param(dim);
    }
  }
}

void SetWeight(TensorProto& tensor, const std::vector<std::string>& words) {
  tensor.set_name(words.at(1));
  tensor.set_data_type(TypeOf(words.at(2)));
  if (words.size() < 4) return;
  for (const std::string& dim : Words(words[3], ',')) {
    tensor.add_dims(std::stoll(dim));
  }
  tensor.set_data_location(TensorProto::EXTERNAL);
}

void SetNumbers(TensorProto& tensor, const std::vector<std::string>& words) {
  tensor.set_name(words.at(1));
  const std::vector<std::string> numbers =
      words.size() > 2 ? Words(words[2], ',') : std::vector<std::string>();
  tensor.add_dims(static_cast<int64_t>(numbers.size()));
  const bool ints = words[0] == "ints";
  tensor.set_data_type(ints ? TensorProto::INT64 : TensorProto::FLOAT);
  for (const std::string& number : numbers) {
    if (ints) {
      tensor.add_int64_data(std::stoll(number));
    } else {
      tensor.add_float_data(std::stof(number));
    }
  }
}

// [1,2], [0.5,1.0] or ["a","b"].
void SetList(AttributeProto& attribute, const std::string& value) {
  const bool strings = value.find('"') != std::string::npos;
  const bool floats = !strings && value.find('.') != std::string::npos;
  attribute.set_type(strings  ? AttributeProto::STRINGS
                     : floats ? AttributeProto::FLOATS
                              : AttributeProto::INTS);
  for (const std::string& word : Words(value.substr(1, value.size() - 2), ',')) {
    if (strings) {
      attribute.add_strings(word.substr(1, word.size() - 2));
    } else if (floats) {
      attribute.add_floats(std::stof(word));
    } else {
      attribute.add_ints(std::stoll(word));
    }
  }
}

void SetAttribute(AttributeProto& attribute, const std::string& word) {
  const size_t at = word.find('=');
  attribute.set_name(word.substr(0, at));
  const std::string value = word.substr(at + 1);
  if (value.front() == '[') {
    SetList(attribute, value);
  } else if (value.front() == '"') {
    attribute.set_type(AttributeProto::STRING);
    attribute.set_s(value.substr(1, value.size() - 2));
  } else if (IsNumber(value)) {
    attribute.set_type(AttributeProto::INT);
    attribute.set_i(std::stoll(value));
  } else {
    attribute.set_type(AttributeProto::FLOAT);
    attribute.set_f(std::stof(value));
  }
}

void SetNode(NodeProto& node, const std::vector<std::string>& words) {
  const std::string& op = words.at(1);
  const size_t dot = op.rfind('.');
  node.set_op_type(dot == std::string::npos ? op : op.substr(dot + 1));
  if (dot != std::string::npos) node.set_domain(op.substr(0, dot));
  bool results = false;
  for (size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "->") {
      results = true;
    } else if (results && words[i].find('=') != std::string::npos) {
      SetAttribute(*node.add_attribute(), words[i]);
    } else if (results) {
      node.add_output(words[i] == "-" ? "" : words[i]);
    } else {
      node.add_input(words[i] == "-" ? "" : words[i]);
    }
  }
}

void AddLine(ModelProto& model, const std::vector<std::string>& words) {
  GraphProto& graph = *model.mutable_graph();
  const std::string& kind = words[0];
  if (kind == "opset") {
    model.mutable_opset_import(0)->set_version(std::stoll(words.at(1)));
  } else if (kind == "input") {
    SetType(*graph.add_input(), words);
  } else if (kind == "weight") {
    SetWeight(*graph.add_initializer(), words);
  } else if (kind == "ints" || kind == "floats") {
    SetNumbers(*graph.add_initializer(), words);
  } else if (kind == "node") {
    SetNode(*graph.add_node(), words);
  } else if (kind == "state") {
    SetType(*graph.add_value_info(), words);
  } else if (kind == "output") {
    graph.add_output()->set_name(words.at(1));
  } else {
    throw std::invalid_argument("unknown line " + kind);
  }
}

}  // namespace

ModelProto ModelFromText(std::string_view text) {
  ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  model.mutable_graph()->set_name("test");
  for (const std::string& line : Words(std::string(text), '\n')) {
    const std::vector<std::string> words = Words(line, ' ');
    if (!words.empty()) AddLine(model, words);
  }
  return model;
}

}  // namespace tilewise
