// Attributes take the type that their text has.

#include "tests/formats/graph_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace tilewise::formats {
namespace {

std::string TypeName(const std::string& word) {
  if (word == "f32") return "DT_FLOAT";
  if (word == "s32") return "DT_INT32";
  return word == "pred" ? "DT_BOOL" : "";
}

bool IsNumber(const std::string& text) {
  return text.find_first_not_of("-0123456789.") == std::string::npos;
}

std::string Attr(const std::string& key, const std::string& value) {
  return fmt::format(" attr {{ key: \"{}\" value {{ {} }} }}", key, value);
}

std::string ValueText(const std::string& value) {
  if (value == "true" || value == "false") return "b: " + value;
  if (const std::string type = TypeName(value); !type.empty()) {
    return "type: " + type;
  }
  if (value.starts_with("[")) {
    return fmt::format("list {{ i: {} }}", value);
  }
  if (!IsNumber(value)) return fmt::format("s: \"{}\"", value);
  const bool is_float = value.find('.') != std::string::npos;
  return (is_float ? "f: " : "i: ") + value;
}

std::string ShapeText(const Dims& dims) {
  std::string text;
  for (const int64_t dim : dims) text += fmt::format("dim {{ size: {} }} ", dim);
  return text;
}

}  // namespace

Value GraphText::Add(const std::string& name, const std::string& op,
                     const std::vector<Value>& operands, const std::string& attrs,
                     const Value& like) {
  nodes_ += fmt::format("node {{ name: \"{}\" op: \"{}\"", name, op);
  for (const Value& operand : operands) {
    nodes_ += fmt::format(" input: \"{}\"", operand.name);
  }
  nodes_ += attrs + " }\n";
  return {name, like.dims, like.type};
}

Value GraphText::Call(const std::string& op, const std::vector<Value>& operands,
                      const Attrs& attrs) {
  std::string text;
  for (const auto& [key, value] : attrs) text += Attr(key, ValueText(value));
  return Add(New(), op, operands, text, Like(operands));
}

Value GraphText::Node(const std::string& op, const std::vector<Value>& operands, const Dims& dims,
                      const Attrs& attrs) {
  Value value = Call(op, operands, attrs);
  value.dims = dims;
  return value;
}

Value GraphText::Constant(const std::string& type, const std::string& shape,
                          const std::string& values) {
  const std::string text =
      Attr("dtype", "type: " + TypeName(type)) +
      Attr("value", fmt::format("tensor {{ dtype: {} tensor_shape {{ {}}} {} }}", TypeName(type),
                                shape, values));
  return Add(New(), "Const", {}, text, {"", {}, type});
}

Value GraphText::Number(double number, const Value& beside) {
  return Constant(beside.type, "",
                  beside.type == "f32" ? fmt::format("float_val: {}", number)
                                       : fmt::format("int_val: {}", number));
}

Value GraphText::Ints(const Dims& numbers) {
  return Constant("s32", ShapeText({static_cast<int64_t>(numbers.size())}),
                  fmt::format("int_val: [{}]", Joined(numbers, ", ")));
}

Value GraphText::Int(int64_t number) {
  return Constant("s32", "", fmt::format("int_val: {}", number));
}

Value GraphText::Pairs(const Dims& low, const Dims& high) {
  Dims pairs;
  for (size_t i = 0; i < low.size(); ++i) {
    pairs.push_back(low[i]);
    pairs.push_back(high[i]);
  }
  return Constant("s32", ShapeText({static_cast<int64_t>(low.size()), 2}),
                  fmt::format("int_val: [{}]", Joined(pairs, ", ")));
}

void GraphText::Input(const Value& input) {
  Dims dims = input.dims;
  dims[0] = -1;
  Add(input.name, "Placeholder", {},
      Attr("dtype", "type: " + TypeName(input.type)) +
          Attr("shape", fmt::format("shape {{ {}}}", ShapeText(dims))),
      input);
}

Value GraphText::Handle(const std::string& name, const Dims& dims) {
  return Add(name, "VarHandleOp", {},
             Attr("dtype", "type: DT_FLOAT") +
                 Attr("shape", fmt::format("shape {{ {}}}", ShapeText(dims))),
             {"", dims, "f32"});
}

Value GraphText::Weight(const std::string& name, const Dims& dims) {
  const Value handle = Handle(name, dims);
  return Add(name + "/Read", "ReadVariableOp", {handle}, Attr("dtype", "type: DT_FLOAT"), handle);
}

Value GraphText::Reshaped(const Value& x, const Dims& dims) {
  Dims to = dims;
  to[0] = -1;
  return Node("Reshape", {x, Ints(to)}, dims);
}

Value GraphText::Reduced(const std::string& op, const Value& x, const Dims& over, bool keep) {
  Dims dims;
  for (int64_t d = 0; d < x.rank(); ++d) {
    const bool gone = std::find(over.begin(), over.end(), d) != over.end();
    if (!gone) dims.push_back(x.dims[d]);
    if (gone && keep) dims.push_back(1);
  }
  Value y = Node(op, {x, Ints(over)}, dims, {{"keep_dims", keep ? "true" : "false"}});
  y.type = x.type;
  return y;
}

std::string GraphText::Text(const Value& result) const {
  return fmt::format(
      "{}node {{ name: \"output\" op: \"Identity\" input: \"{}\" }}\nversions "
      "{{ producer: 1087 }}\n",
      nodes_, result.name);
}

}  // namespace tilewise::formats
