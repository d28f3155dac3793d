// Short form -> GraphDef in text form -> the reader -> one word for each op.

#include "tests/tensorflow/op_lines.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "frontend/tensorflow/read_tensorflow.h"
#include "tests/reference/evaluator.h"

namespace tilewise {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Parts between commas that stand in no brackets.
std::vector<std::string_view> Split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[' || text[i] == '<' ? 1 : 0;
    depth -= text[i] == ']' || text[i] == '>' ? 1 : 0;
    if (text[i] != by || depth > 0) continue;
    parts.push_back(Trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  const std::string_view last = Trim(text.substr(begin));
  if (!last.empty()) parts.push_back(last);
  return parts;
}

std::string_view Inside(std::string_view text) { return text.substr(1, text.size() - 2); }

std::string TypeName(std::string_view word) {
  const std::map<std::string_view, std::string> kTypes = {
      {"f32", "DT_FLOAT"},  {"bf16", "DT_BFLOAT16"}, {"f16", "DT_HALF"},
      {"s32", "DT_INT32"},  {"s64", "DT_INT64"},     {"u8", "DT_UINT8"},
      {"pred", "DT_BOOL"},  {"s8", "DT_INT8"},       {"u32", "DT_UINT32"},
      {"str", "DT_STRING"}, {"res", "DT_RESOURCE"},  {"c64", "DT_COMPLEX64"},
  };
  const auto found = kTypes.find(word);
  return found == kTypes.end() ? "" : found->second;
}

std::string ShapeText(std::string_view list) {
  std::string text;
  for (const std::string_view dim : Split(Inside(list), ',')) {
    text += fmt::format("dim {{ size: {} }} ", dim == "?" ? "-1" : dim);
  }
  return text;
}

// "s32:[1,2]" or "f32:0.5".
std::string TensorText(std::string_view value) {
  const size_t colon = value.find(':');
  const std::string type = TypeName(value.substr(0, colon));
  const std::string_view numbers = value.substr(colon + 1);
  const bool is_list = numbers.starts_with("[");
  const auto parts = Split(is_list ? Inside(numbers) : numbers, ',');
  const std::map<std::string, std::string_view> kFields = {
      {"DT_INT32", "int_val"},
      {"DT_INT64", "int64_val"},
      {"DT_FLOAT", "float_val"},
      {"DT_BOOL", "bool_val"},
  };
  std::string shape, values;
  if (is_list) shape = fmt::format("dim {{ size: {} }}", parts.size());
  for (const std::string_view part : parts) {
    values += fmt::format("{}: {} ", kFields.at(type), part);
  }
  return fmt::format("tensor {{ dtype: {} tensor_shape {{ {} }} {} }}", type, shape, values);
}

bool IsNumber(std::string_view word) {
  return !word.empty() &&
         (std::isdigit(word.front()) != 0 || (word.front() == '-' && word.size() > 1));
}

std::string NumberText(std::string_view word) {
  const bool is_float = word.find('.') != std::string_view::npos;
  return fmt::format("{}: {} ", is_float ? "f" : "i", word);
}

std::string ValueText(std::string_view name, std::string_view value) {
  if (name == "value") return TensorText(value);
  if (name.ends_with("shape") && value.starts_with("[")) {
    return fmt::format("shape {{ {} }}", ShapeText(value));
  }
  if (value == "true" || value == "false") return fmt::format("b: {}", value);
  if (!TypeName(value).empty()) return "type: " + TypeName(value);
  if (IsNumber(value)) return NumberText(value);
  std::string list;
  if (value.starts_with("[")) {
    for (const auto part : Split(Inside(value), ',')) {
      list += IsNumber(part) ? NumberText(part) : fmt::format("s: \"{}\" ", part);
    }
    return fmt::format("list {{ {} }}", list);
  }
  if (value.starts_with("<")) {
    for (const auto part : Split(Inside(value), ',')) {
      list += fmt::format("type: {} ", TypeName(part));
    }
    return fmt::format("list {{ {} }}", list);
  }
  return fmt::format("s: \"{}\"", value);
}

std::string NodeText(std::string_view line) {
  const size_t equals = line.find('=');
  const size_t open = line.find('(');
  const size_t close = line.find(')');
  const std::string_view op = Trim(line.substr(equals + 1, open - equals - 1));
  std::string text =
      fmt::format("node {{ name: \"{}\" op: \"{}\" ", Trim(line.substr(0, equals)), op);
  for (const auto input : Split(line.substr(open + 1, close - open - 1), ',')) {
    text += fmt::format("input: \"{}\" ", input);
  }
  for (const auto attr : Split(line.substr(close + 1), ' ')) {
    if (attr.empty()) continue;
    const size_t at = attr.find('=');
    const std::string_view name = attr.substr(0, at);
    text += fmt::format("attr {{ key: \"{}\" value {{ {} }} }} ", name,
                        ValueText(name, attr.substr(at + 1)));
    if (op == "Const") {
      const std::string_view value = attr.substr(at + 1);
      text += fmt::format("attr {{ key: \"dtype\" value {{ type: {} }} }} ",
                          TypeName(value.substr(0, value.find(':'))));
    }
  }
  return text + "}\n";
}

absl::StatusOr<Workload> Read(std::string_view nodes) {
  std::string text;
  for (const std::string_view line : Split(nodes, '\n')) {
    if (!line.empty()) text += NodeText(line);
  }
  text += "versions { producer: 27 }\n";
  return ReadGraphDef({"graph.pbtxt", text}, {});
}

bool IsLeaf(OpKind kind) {
  return kind == OpKind::kParameter || kind == OpKind::kConstant || kind == OpKind::kVariable;
}

}  // namespace

std::string OpLines(std::string_view nodes) {
  const auto workload = Read(nodes);
  if (!workload.ok()) return "error: " + Message(workload.status());
  if (!workload->graph) return "error: no graph";
  std::string lines;
  const auto add = [&](const std::string& line) { lines += (lines.empty() ? "" : "; ") + line; };
  for (const Op& op : workload->graph->ops()) {
    if (IsLeaf(op.kind)) continue;
    std::string line = fmt::format("{} {}", FormatShape(op.shape), OpName(op.kind));
    if (op.loop.id != 0) line += fmt::format(" x{}", op.loop.trip_count);
    add(line);
  }
  for (const Output& output : workload->graph->outputs()) {
    if (output.role != Output::Role::kState) continue;
    add("state " + FormatShape(workload->graph->op(output.value).shape));
  }
  return lines;
}

std::string OpValues(std::string_view nodes, std::string_view leaves) {
  const auto workload = Read(nodes);
  if (!workload.ok()) return "error: " + Message(workload.status());
  if (!workload->graph) return "error: no graph";
  reference::Tensors tensors = reference::RandomLeaves(*workload->graph, 1);
  for (const std::string_view leaf : Split(leaves, ' ')) {
    const size_t at = leaf.find('=');
    reference::Tensor& tensor = tensors[std::string(leaf.substr(0, at))];
    tensor.data.clear();
    for (const std::string_view number : Split(leaf.substr(at + 1), ',')) {
      tensor.data.push_back(std::stod(std::string(number)));
    }
  }
  const std::vector<Output>& outputs = workload->graph->outputs();
  const bool has_state = std::any_of(outputs.begin(), outputs.end(), [](const Output& output) {
    return output.role == Output::Role::kState;
  });
  const auto values = reference::EvaluateAll(*workload->graph, tensors);
  std::string text;
  for (const Output& output : outputs) {
    if (has_state && output.role != Output::Role::kState) continue;
    const reference::Tensor& tensor = values[output.value];
    std::vector<std::string> numbers;
    numbers.reserve(tensor.data.size());
    for (const double number : tensor.data) {
      numbers.push_back(fmt::format("{:.4g}", number + 0.0));
    }
    text += fmt::format("{}[{}]", text.empty() ? "" : " ", fmt::join(numbers, " "));
  }
  return text;
}

std::string NoteLines(std::string_view nodes) {
  const auto workload = Read(nodes);
  if (!workload.ok()) return "error: " + Message(workload.status());
  std::string lines;
  for (const Diagnostic& note : workload->notes) {
    lines += (lines.empty() ? "" : "; ") + note.message;
  }
  return lines;
}

}  // namespace tilewise
