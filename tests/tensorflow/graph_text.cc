// Writes the text, reads it back and prints what came out.

#include "tests/tensorflow/graph_text.h"

#include <fmt/format.h>

#include "frontend/tensorflow/read_tensorflow.h"
#include "graph/text.h"

namespace tilewise::tf {

std::string Node(std::string_view name, std::string_view op,
                 std::initializer_list<std::string_view> inputs, std::string_view attrs) {
  std::string text = fmt::format("node {{ name: \"{}\" op: \"{}\"", name, op);
  for (const std::string_view input : inputs) {
    text += fmt::format(" input: \"{}\"", input);
  }
  return text + fmt::format(" {} }}\n", attrs);
}

std::string Attr(std::string_view key, std::string_view value) {
  return fmt::format("attr {{ key: \"{}\" value {{ {} }} }} ", key, value);
}

std::string ShapeText(std::initializer_list<int> dims) {
  std::string text = "shape {";
  for (const int dim : dims) text += fmt::format(" dim {{ size: {} }}", dim);
  return text + " }";
}

std::string Input(std::string_view name, std::initializer_list<int> dims) {
  return Node(name, "Placeholder", {},
              Attr("dtype", "type: DT_FLOAT") + Attr("shape", ShapeText(dims)));
}

std::string Int(std::string_view name, int value) {
  return Node(name, "Const", {},
              Attr("dtype", "type: DT_INT32") +
                  Attr("value", fmt::format("tensor {{ dtype: DT_INT32 tensor_shape {{ "
                                            "}} int_val: {} }}",
                                            value)));
}

std::string Variable(std::string_view name, std::initializer_list<int> dims) {
  return Node(name, "VarHandleOp", {},
              Attr("dtype", "type: DT_FLOAT") + Attr("shape", ShapeText(dims)));
}

std::string Function(std::string_view name, std::initializer_list<std::string_view> arguments,
                     std::initializer_list<std::string_view> results, std::string_view nodes,
                     std::initializer_list<std::string_view> returns) {
  std::string text = fmt::format("function {{ signature {{ name: \"{}\"", name);
  const auto arg = [&](std::string_view field, std::string_view stated) {
    const size_t colon = stated.find(": ");
    text += fmt::format(" {} {{ name: \"{}\" type: {} }}", field, stated.substr(0, colon),
                        stated.substr(colon + 2));
  };
  for (const std::string_view stated : arguments) arg("input_arg", stated);
  for (const std::string_view stated : results) arg("output_arg", stated);
  text += " }\n";
  std::string body(nodes);
  for (size_t at = body.find("node {"); at != std::string::npos; at = body.find("node {", at + 8)) {
    body.replace(at, 4, "node_def");
  }
  text += body;
  for (const std::string_view stated : returns) {
    const size_t equals = stated.find(" = ");
    text += fmt::format("ret {{ key: \"{}\" value: \"{}\" }}\n", stated.substr(0, equals),
                        stated.substr(equals + 3));
  }
  return text + "}\n";
}

std::string Calls(std::string_view key, std::string_view function) {
  return Attr(key, fmt::format("func {{ name: \"{}\" }}", function));
}

absl::StatusOr<Workload> ReadText(const std::string& text) {
  return ReadGraphDef(InputFile{"g.pbtxt", text}, {});
}

std::string LinesOf(const Workload& workload) {
  if (!workload.graph) return "no graph";
  std::string text = PrintGraph(*workload.graph);
  // Of every line what stands before its place.
  std::string lines;
  size_t at = text.find('\n') + 1;
  while (at < text.size() && text[at] != '}') {
    const size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    line = line.substr(0, line.find(", at="));
    lines += line.substr(std::min<size_t>(2, line.size())) + "\n";
    at = end + 1;
  }
  return lines;
}

std::string GraphLines(const std::string& text) {
  const absl::StatusOr<Workload> workload = ReadText(text);
  return workload.ok() ? LinesOf(*workload) : Message(workload.status());
}

}  // namespace tilewise::tf
